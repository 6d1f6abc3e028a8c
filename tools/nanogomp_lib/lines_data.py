# lines_data.py - from addresses of memory to the names of what lies there
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""name_of() knows the parts of nanogomp's structures (the file that NTH_STRUCTURES names, by
runtime/omp/process/structures.h) and the variables of objects, by binutils' nm. Other memory is
"heap", or "stack of a thread"."""

import bisect
import contextlib
import os
import subprocess

from nanogomp_lib import elf

VARIABLES = "BbDdRrGgSsVvuC"  # nm's letters for data


class Structures:
    """Parts of the runtime's structures. A later part lies in an earlier one."""

    def __init__(self, path):
        self.parts = []
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                lines = file.read().splitlines()
        except OSError:
            return  # another runtime, or one that ended by _exit()
        for line in lines:
            with contextlib.suppress(ValueError):  # a full disk: the line is cut
                at, size, name = line.split(" ", 2)
                self.parts.append((int(at, 16), int(size), name))

    def name_of(self, address):
        """The name, or None."""
        for at, size, name in reversed(self.parts):
            if at <= address < at + size:
                return name
        return None


class Variables:
    """The variables of an object file, by offset from its first mapping."""

    def __init__(self, path):
        self.name = os.path.basename(path)
        self.starts, self.found, self.end = [], [], None
        try:
            first = elf.Elf(path).first_address
            done = subprocess.run(["nm", "-C", "-S", "--defined-only", path], text=True, check=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  errors="replace")
        except (OSError, subprocess.CalledProcessError, elf.NotElf):
            return
        for fields in (line.split(" ", 3) for line in done.stdout.splitlines()):
            if len(fields) == 4 and fields[2] in VARIABLES:
                self.found.append((int(fields[0], 16) - first, int(fields[1], 16), fields[3]))
            elif len(fields) >= 3 and fields[-1] == "_end":
                self.end = int(fields[0], 16) - first
        self.found.sort()
        self.starts = [start for start, _, _ in self.found]

    def name_of(self, offset):
        """Words that overlap a variable have its name."""
        if self.end is not None and offset >= self.end + 8:
            return "heap"  # the heap follows the program's data without a gap
        last = bisect.bisect_right(self.starts, offset + 7) - 1
        if last >= 0 and offset < self.found[last][0] + self.found[last][1]:
            return "%s (%s)" % (self.found[last][2], self.name)
        return "data of " + self.name


class Names:
    """Names of words by where nanogomp-lines says that they lie."""

    def __init__(self, structures):
        self.structures = Structures(structures)
        self.objects = {}

    def name_of(self, address, offset, where):
        known = self.structures.name_of(address)
        if known:
            return known
        if where.startswith("/"):
            if where not in self.objects:
                self.objects[where] = Variables(where)
            return self.objects[where].name_of(offset)
        return {"[heap]": "heap", "[stack]": "stack of a thread"}.get(where, "unknown memory")
