# sites.py - from addresses in a process that ran to functions, files and lines
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tools that watch a program (docs/ompt.md) write addresses and, as text, the process's module map:
lines of /proc/PID/maps. Sites resolves them, with one call of eu-addr2line (elfutils), or else of
binutils' addr2line, for all new addresses of a module.

  found = Sites(maps_text)
  found.resolve(addresses)             {address: Site}
  found.site(address).name()           "conj_grad (cg.c:140)"

An address that a call returns to, such as OMPT's codeptr_ra, belongs to the call before it, so that
the byte before is looked up. returns=False is for addresses of instructions and functions.
Of inlined code the innermost function that is not one of the system's headers counts, and its line:
there the directive stands.

gcc gives the call that begins a region or a task no line of its own: it has that of the instruction
before it, which may be any. But the call hands over the function that gcc made of the construct,
NAME._omp_fn.N, and that one begins at the construct. resolve_constructs() looks it up instead.
"""

import bisect
import functools
import os
import platform
import re
import shutil
import struct
import subprocess

from nanogomp_lib import elf

TOOLS = ("eu-addr2line", "addr2line")
TIMEOUT_SECONDS = 120
DELETED = " (deleted)"
# what gcc adds to the names of functions that it makes or splits
MADE = re.compile(r"(?: \[clone )?"
                  r"\.(?:_omp_fn|_omp_cpyfn|constprop|isra|part|cold|lto_priv)(?:\.\d+)*.*$")
# gfortran's names of procedures of a module, and of those that another procedure contains
OF_MODULE, CONTAINED = re.compile(r"__(\w+?)_MOD_(\w+)"), re.compile(r"(\w+)\.\d+")
FORTRAN = re.compile(r"\.f(?:or|tn|pp|\d\d)?$", re.IGNORECASE)
OUTLINED = "._omp_fn."
DIRECTIVE = re.compile(r"\s*(?:#\s*pragma\s+omp\b|[!cC*]\$omp\b)", re.IGNORECASE)
ABOVE = 12  # lines between a directive and what it is about, its continuation lines among them
# what the directives of work-sharing constructs say
NEAR = {"loop": ("for", "do", "loop"), "sections": ("sections",), "single": ("single",),
        "distribute": ("distribute",)}
OUTLINED_KINDS = ("region", "task", "taskloop")
BELOW = 4  # lines by which a call may be given the place of something before it
RDI = 7  # x86-64: the register of a call's first argument
HEADERS = ("/usr/include/", "/usr/lib/", "/usr/local/include/c++/")
BEFORE = 128  # bytes before a call in which its first argument is set,
FAR = 4096    # and the register from which it comes
MAP_LINE = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (\S{4}) ([0-9a-f]+) \S+ \S+ *(.*)")


def source_name(symbol):
    """The source's name of a function: `main` of main._omp_fn.0, m::f of __m_MOD_f."""
    name = MADE.sub("", symbol)
    made = CONTAINED.fullmatch(name)
    return OF_MODULE.sub(r"\1::\2", made.group(1) if made else name)


class Site:
    """Where an address is. module: path of the file, None for unknown code; offset: the address in
    the file before it is loaded; function, file, line: None where the file does not tell."""

    __slots__ = ("address", "module", "offset", "symbol", "file", "line")

    def __init__(self, address, module=None, offset=0, symbol=None, file=None, line=None):
        self.address, self.module, self.offset = address, module, offset
        self.symbol, self.file, self.line = symbol, file, line

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
    return match.group(1), int(match.group(2))


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


def users_frames(frames):
    """[(function or None, file, line)]: of each address the innermost function that is not one of
    the system's headers."""
    return [next((frame for frame in found if frame[1] and not frame[1].startswith(HEADERS)),
                 found[0] if found else (None, None, None)) for found in frames]


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


@functools.lru_cache(maxsize=64)
def source_lines(file):
    try:
        with open(file, encoding="utf-8", errors="replace") as source:
            return source.read().splitlines()
    except OSError:
        return []


def directive_line(file, line):
    """The line of the directive whose construct begins at this line, as far as the source is there:
    a construct that consists of one call begins with that call."""
    for back, text in enumerate(reversed(source_lines(file)[max(0, line - ABOVE):line])):
        if DIRECTIVE.match(text):
            return line - back
    return line


def nearest_directive(file, line, words):
    """The line of the nearest directive with one of the words; `line` without the source."""
    lines = source_lines(file)
    wanted = re.compile(r"\b(?:%s)\b" % "|".join(words), re.IGNORECASE)
    near = [n for n in range(max(1, line - ABOVE), min(line + BELOW, len(lines)) + 1)
            if DIRECTIVE.match(lines[n - 1]) and wanted.search(lines[n - 1])]
    return min(near, key=lambda n: (abs(n - line), n > line), default=line)


def find_tool():
    for name in TOOLS:
        if shutil.which(name):
            return name
    return None


class Sites:
    """tool: the program that is asked; None: the first of TOOLS that is installed."""

    def __init__(self, maps_text, tool=None):
        self.modules = modules_of(maps_text)
        self._starts = [module.start for module in self.modules]
        self._tool = tool or find_tool()
        self._files, self._known = {}, {}

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
        for kind, words in NEAR.items():
            known.update(self.resolve_near(sorted(addresses.get(kind, ())), words))
        known.update(self.resolve_constructs(sorted(
            set().union(*(addresses.get(kind, ()) for kind in OUTLINED_KINDS)))))
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

    def resolve_near(self, addresses, words):
        """{address: Site} of calls that begin work-sharing constructs: gcc gives them a line near
        that of the directive, which has one of the words."""
        found = self.resolve(addresses)
        for address, site in found.items():
            if site.file:
                found[address] = Site(address, site.module, site.offset, site.symbol, site.file,
                                      nearest_directive(site.file, site.line, words))
        return found

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
            self._ask(path, functions)
        for site, function in reversed(wanted):  # the last one that was set comes first
            if function.symbol and OUTLINED in function.symbol and function.file:
                made = Site(site.address, site.module, site.offset, function.symbol, function.file,
                            directive_line(function.file, function.line))
                self._known[site.address, "construct"] = made

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
        """The Elf of a module; None: it is gone, or cannot be read."""
        if path not in self._files:
            try:
                self._files[path] = elf.Elf(path)
            except (OSError, elf.NotElf):
                self._files[path] = None
        return self._files[path]

    def _ask(self, path, sites):
        """Completes the Sites of one file as far as it has symbols and lines."""
        if not self._tool:
            return
        sites.sort(key=lambda site: site.offset)
        found = users_frames(ask(self._tool, path, [site.offset for site in sites]))
        for site, (symbol, file, line) in zip(sites, found):
            site.symbol, site.file, site.line = symbol, file, line
