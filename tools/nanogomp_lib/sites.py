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
Of inlined code the innermost function and its line count: there the directive stands.
"""

import bisect
import os
import re
import shutil
import subprocess

from nanogomp_lib import elf

TOOLS = ("eu-addr2line", "addr2line")
TIMEOUT_SECONDS = 120
DELETED = " (deleted)"
# what gcc adds to the names of functions that it makes or splits
MADE = re.compile(r"\.(?:_omp_fn|_omp_cpyfn|constprop|isra|part|cold|lto_priv)(?:\.\d+)*.*$")
MAP_LINE = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (\S{4}) ([0-9a-f]+) \S+ \S+ *(.*)")


class Site:
    """Where an address is. module: path of the file, None for unknown code; offset: the address in
    the file before it is loaded; function, file, line: None where the file does not tell."""

    __slots__ = ("address", "module", "offset", "symbol", "file", "line")

    def __init__(self, address, module=None, offset=0, symbol=None, file=None, line=None):
        self.address, self.module, self.offset = address, module, offset
        self.symbol, self.file, self.line = symbol, file, line

    @property
    def function(self):
        """The source's name of the function: `main` for main._omp_fn.0."""
        return MADE.sub("", self.symbol) if self.symbol else None

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


def answers(text):
    """[(function or None, file, line)] of addr2line's output, one an address."""
    found = []
    lines = iter(text.splitlines())
    for line in lines:
        if not re.fullmatch("0x[0-9a-f]+", line):
            continue
        function = next(lines, "??").partition(" inlined at ")[0]
        file, number = parsed_line(next(lines, "??:0"))
        found.append((None if function in ("??", "") else function, file, number))
    return found


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
        try:
            done = subprocess.run([self._tool, "-C", "-f", "-i", "-a", "-e", path],
                                  input="".join("%#x\n" % site.offset for site in sites),
                                  text=True, errors="replace", check=False,
                                  timeout=TIMEOUT_SECONDS, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL)
        except (OSError, subprocess.TimeoutExpired):
            return
        found = answers(done.stdout)
        if len(found) == len(sites):  # else answers and addresses cannot be told to belong together
            for site, (symbol, file, line) in zip(sites, found):
                site.symbol, site.file, site.line = symbol, file, line
