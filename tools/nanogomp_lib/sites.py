# sites.py - from addresses in a process that ran to functions, files and lines
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tools that watch a program (docs/ompt.md) write addresses and, as text, the process's module map:
lines of /proc/PID/maps. Sites resolves them, with one call of binutils' addr2line for all new
addresses of a module. eu-addr2line (elfutils) is asked where that one is not there, or has no name:
it is much slower with thousands of functions, and misses code that is inlined in the functions that
gcc makes of constructs.

  found = Sites(maps_text)
  found.resolve(addresses)             {address: Site}
  found.site(address).name()           "conj_grad (cg.c:140)"

An address that a call returns to, such as OMPT's codeptr_ra, belongs to the call before it, so that
the byte before is looked up. returns=False is for addresses of instructions and functions.
Of inlined code the innermost function that is not one of the system's headers counts, and its line:
there the directive stands.

gcc gives the call that begins a region or a task no line of its own: it has that of the instruction
before it, which may be any. But the call hands over the function that gcc made of the construct,
NAME._omp_fn.N, and that one begins at the construct. resolve_constructs() looks it up instead: the
first row that its address has in the line table. Later ones are of code that is inlined there.
"""

import bisect
import functools
import os
import platform
import re
import shutil
import struct
import subprocess
import zlib

from nanogomp_lib import constructs, dwarf, elf, identity
from nanogomp_lib.directives import directive_line

TOOLS = ("addr2line", "eu-addr2line")
TIMEOUT_SECONDS = 120
LONG = 500  # characters of a name
DELETED = " (deleted)"
# what gcc adds to the names of functions that it makes or splits
MADE = re.compile(r"(?: \[clone )?"
                  r"\.(?:_omp_fn|_omp_cpyfn|constprop|isra|part|cold|lto_priv)(?:\.\d+)*.*$")
# gfortran's names of procedures of a module, and of those that another procedure contains
OF_MODULE, CONTAINED = re.compile(r"__(\w+?)_MOD_(\w+)"), re.compile(r"(\w+)\.\d+")
FORTRAN = re.compile(r"\.f(?:or|tn|pp|\d\d)?$", re.IGNORECASE)
OUTLINED = "._omp_fn."
OUTLINED_KINDS = ("region", "task", "taskloop")
RDI = 7  # x86-64: the register of a call's first argument
HEADERS = ("/usr/include/", "/usr/lib/", "/usr/local/include/c++/")
BEFORE = 128  # bytes before a call in which its first argument is set,
FAR = 4096    # and the register from which it comes
MAP_LINE = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (\S{4}) ([0-9a-f]+) \S+ \S+ *(.*)")


@functools.lru_cache(maxsize=1 << 14)
def source_name(symbol):
    """The source's name of a function: `main` of main._omp_fn.0, m::f of __m_MOD_f. Of names of
    templates with thousands of arguments the middle is a number, which tells them apart."""
    name = MADE.sub("", symbol)
    if len(name) > LONG:
        number = zlib.crc32(os.fsencode(name))
        return "%s..%08x..%s" % (name[:LONG // 2], number, name[-LONG // 4:])
    made = CONTAINED.fullmatch(name)
    return OF_MODULE.sub(r"\1::\2", made.group(1) if made else name)


class Site:
    """Where an address is. module: path of the file, None for unknown code; offset: the address in
    the file before it is loaded; function, file, line: None where the file does not tell. frames:
    of inlined code, as addr2line has them. of: kind of the construct at whose end the barrier is.
    turn: tells calls of a function apart whose lines are the same but may be wrong."""

    __slots__ = ("address", "module", "offset", "symbol", "file", "line", "frames", "of", "turn")

    def __init__(self, address, module=None, offset=0, symbol=None, file=None, line=None):
        self.address, self.module, self.offset = address, module, offset
        self.symbol, self.file, self.line = symbol, file, line
        self.frames, self.of, self.turn = (), None, 0

    def moved(self, symbol, file, line, of=None):
        """The same with the place of its directive."""
        site = Site(self.address, self.module, self.offset, symbol, file, line)
        site.frames, site.of = self.frames, of
        return site

    @property
    def function(self):
        return source_name(self.symbol) if self.symbol else None

    @property
    def is_made_main(self):
        """Whether it is in the main() that gfortran makes, which calls the program."""
        return self.symbol == "main" and bool(self.file and FORTRAN.search(self.file))

    def place(self):
        """file.c:12, else module+0x1234, else the address."""
        if self.file:
            return "%s:%d" % (os.path.basename(self.file), self.line)
        if self.module:
            return "%s+%#x" % (os.path.basename(self.module), self.offset)
        return "%#x" % self.address

    def name(self):
        """One line for people: function (file.c:12)."""
        return "%s (%s)" % (self.function, self.place()) if self.function else self.place()

    def record(self):
        """For JSON."""
        return {"function": self.function, "file": self.file, "line": self.line,
                "module": self.module, "offset": self.offset}


class Module:
    """A file's part of the process: addresses from start to end, from an offset of the file on."""

    def __init__(self, start, end, offset, path):
        self.start, self.end, self.offset, self.path = start, end, offset, path


def modules_of(text):
    """The parts with code that a text in the form of /proc/PID/maps has, by address. Other lines
    do not count. Where parts overlap, as after dlclose() and dlopen(), the later line counts."""
    found = {}
    for line in text.splitlines():
        match = MAP_LINE.fullmatch(line.strip())
        if match and match.group(3)[2] == "x":
            start, end, offset = (int(match.group(i), 16) for i in (1, 2, 4))
            found[start] = Module(start, end, offset, match.group(5))
    return [found[start] for start in sorted(found)]


def parsed_line(text):
    """(file, line) of "dir/name.c:12:9 (discriminator 3)"; (None, None) if unknown."""
    match = re.match(r"(.+?):(\d+)(?::\d+)?(?: \(discriminator \d+\))?$", text)
    if not match or match.group(1) == "??" or match.group(2) == "0":
        return None, None
    file = match.group(1)
    return os.path.normpath(file) if "/." in file else file, int(match.group(2))


def frames_of(text):
    """[[(function or None, file, line), ...]] of addr2line's output: of each address the innermost
    function first, then those that it is inlined in."""
    frames = []
    lines = iter(text.splitlines())
    for line in lines:
        if re.fullmatch("0x[0-9a-f]+", line):
            frames.append([])
        elif frames:
            function = line.partition(" inlined at ")[0]
            frames[-1].append((None if function in ("??", "") else function,
                               *parsed_line(next(lines, "??:0"))))
    return frames


def ask(tool, path, addresses):
    """frames_of() the addresses of a file; []: the tool does not tell."""
    try:
        done = subprocess.run([tool, "-C", "-f", "-i", "-a", "-e", path],
                              input="".join("%#x\n" % address for address in addresses),
                              text=True, errors="surrogateescape", check=False,
                              timeout=TIMEOUT_SECONDS, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return []
    found = frames_of(done.stdout)
    return found if len(found) == len(addresses) else []  # else nobody knows what belongs together


def ask_all(tools, path, addresses):
    """frames_of() by the first tool that knows a function, for each address."""
    found = {}
    for tool in tools:
        left = [address for address in addresses
                if not (found.get(address) and found[address][0][0])]
        for address, frames in zip(left, ask(tool, path, left) if left else ()):
            found[address] = frames if frames[0][0] else found.get(address) or frames
    return [found.get(address, []) for address in addresses]


def users_frames(frames):
    """[(function or None, file, line)]: of each address the innermost function that is not one of
    the system's headers."""
    return [next((frame for frame in found if frame[1] and not frame[1].startswith(HEADERS)),
                 found[0] if found else (None, None, None)) for found in frames]


def outer_frames(frames):
    """The same, of the function that has the address's code."""
    return [found[-1] if found else (None, None, None) for found in frames]


def put_into(register, code, end):
    """Addresses that code of x86-64 before the address `end` puts into a register, the last one
    first: lea reg, [rip + n]; mov reg, n. Bytes that only look like that are among them."""
    low, high = register & 7, register >> 3
    wanted = re.compile(b"[\\x%02x]\\x8d[\\x%02x](?P<near>....)|%b[\\x%02x](?P<fixed>....)" % (
        0x48 | high << 2, low << 3 | 5, b"\\x41" * high, 0xb8 | low), re.DOTALL)
    found = []
    for match in wanted.finditer(code):
        (distance,) = struct.unpack("<i", match["near"] or match["fixed"])
        found.append(distance + (end - len(code) + match.end() if match["near"] else 0))
    return [address for address in reversed(found) if address > 0]


def source_of_argument(code, at):
    """The register from which the instruction there sets rdi; -1: it takes it from memory; None: it
    is no such instruction."""
    rex, operation, registers = code[at:at + 3]
    if operation == 0x89 and rex & 0xfb == 0x48 and registers & 0xc7 == 0xc0 | RDI:
        return registers >> 3 & 7 | (rex & 4) << 1
    if operation == 0x8b and rex & 0xfe == 0x48 and registers >> 3 & 7 == RDI:
        return registers & 7 | (rex & 1) << 3 if registers >= 0xc0 else -1
    return None


def handed(code, end):
    """Addresses that the code before the address `end`, of a call, may hand over as the first
    argument, the likely ones first. gcc loads the addresses that calls in a loop hand over before
    the loop, each into a register of its own."""
    for at in range(len(code) - 3, max(0, len(code) - BEFORE) - 1, -1):
        source = source_of_argument(code, at)
        if source is not None:
            after = put_into(RDI, code[at:], end)
            before = put_into(source, code[:at], end - len(code) + at) if source >= 0 else []
            return after + before
    return put_into(RDI, code[-BEFORE:], end)


def find_tools():
    return [name for name in TOOLS if shutil.which(name)]


class Sites:
    """tool: the program that is asked; None: those of TOOLS that are installed. noted: what the
    modules were when the process ran, by path (identity.py). changed: those that were asked for,
    but are not so any more; their addresses stay addresses."""

    def __init__(self, maps_text, tool=None, noted=None):
        self.modules = modules_of(maps_text)
        self._starts = [module.start for module in self.modules]
        self._tools = [tool] if tool else find_tools()
        self._files, self._known, self._lines = {}, {}, {}
        self._noted, self.changed = noted or {}, set()

    def module_at(self, address):
        """The Module; None: no file has the address."""
        i = bisect.bisect_right(self._starts, address) - 1
        if i < 0 or address >= self.modules[i].end or not self.modules[i].path.startswith("/"):
            return None
        return self.modules[i]

    def site(self, address, returns=True):
        return self.resolve([address], returns)[address]

    def resolve(self, addresses, returns=True):
        """{address: Site}"""
        back = 1 if returns else 0
        asked = {}
        for address in set(addresses):
            if (address, back) not in self._known:
                self._place(address, back, asked)
        for path, sites in asked.items():
            self._ask(path, sites)
        return {address: self._known[address, back] for address in addresses}

    def resolve_kinds(self, addresses):
        """{address: Site} of {kind of construct: addresses}, each with the line of its directive
        where that can be found."""
        known = self.resolve(sorted(set().union(*addresses.values())))
        outlined = set().union(*(addresses.get(kind, ()) for kind in OUTLINED_KINDS))
        known.update(constructs.placed(self, {
            kind: [known[address] for address in sorted(set(those) - outlined)]
            for kind, those in addresses.items()}))
        known.update(self.resolve_constructs(sorted(outlined)))
        return known

    def resolve_constructs(self, addresses):
        """{address: Site} of calls that begin regions and tasks, each with the line of its
        directive."""
        found = self.resolve(addresses)
        if platform.machine() == "x86_64":
            self._outlined([site for site in found.values()
                            if site.module and (site.address, "construct") not in self._known])
        return {address: self._known.get((address, "construct"), site)
                for address, site in found.items()}

    def in_file(self, path, address, is_construct=False):
        """The Site of an address in a file as it lies there, not in a process; is_construct: of the
        call that begins a region or task."""
        site = Site(address, path, address)
        if self._file(path):
            self._ask(path, [site])
            if is_construct and platform.machine() == "x86_64":
                self._outlined([site])
        return self._known.pop((address, "construct"), site)

    def _outlined(self, sites):
        """Notes the Sites of the functions that the compiler made of these constructs."""
        asked, wanted = {}, []
        for site in sites:
            self._known[site.address, "construct"] = site
            for offset in self._handed(site):
                function = Site(site.address, site.module, offset)
                asked.setdefault(site.module, []).append(function)
                wanted.append((site, function))
        for path, functions in asked.items():
            self._ask(path, functions, outer_frames)
            for function in functions:
                first = self.lines_of(path).first(function.offset)
                function.file, function.line = first or (function.file, function.line)
        for site, function in reversed(wanted):  # the last one that was set comes first
            if function.symbol and OUTLINED in function.symbol and function.file:
                self._known[site.address, "construct"] = site.moved(
                    function.symbol, function.file, directive_line(function.file, function.line))

    def _handed(self, site):
        try:
            file = self._files.get(site.module)
            with open(site.module, "rb") as content:
                at = file.offset_of(site.offset + 1) if file else 0
                content.seek(max(0, at - FAR))
                code = content.read(min(at, FAR))
        except (OSError, elf.NotElf):
            return []
        return handed(code, site.offset + 1)

    def _place(self, address, back, asked):
        """Makes the address's Site, and notes it under its file."""
        module = self.module_at(address - back) if address > back else None
        site = self._known[address, back] = Site(address)
        if module is None:
            return
        site.module = module.path[:-len(DELETED)] if module.path.endswith(DELETED) else module.path
        at = address - back - module.start + module.offset
        file = self._file(module.path)
        site.offset = file.address_of(at) if file else at
        if file:
            asked.setdefault(module.path, []).append(site)

    def _file(self, path):
        """The Elf of a module; None: it is gone, cannot be read, or is another one."""
        if path not in self._files:
            try:
                self._files[path] = elf.Elf(path)
                if path in self._noted and self._noted[path] != identity.identity(path):
                    self._files[path] = None
                    self.changed.add(path)
            except (OSError, elf.NotElf):
                self._files[path] = None
        return self._files[path]

    def lines_of(self, path):
        """The Lines of a module."""
        if path not in self._lines:
            self._lines[path] = dwarf.Lines(path)
        return self._lines[path]

    def _ask(self, path, sites, frames_for=users_frames):
        """Completes the Sites of one file as far as it has symbols and lines."""
        sites.sort(key=lambda site: site.offset)
        frames = ask_all(self._tools, path, [site.offset for site in sites])
        for site, own, found in zip(sites, frames, frames_for(frames)):
            site.symbol, site.file, site.line = found
            site.frames = own
