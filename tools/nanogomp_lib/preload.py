#!/usr/bin/env python3
# preload.py - lets LD_PRELOAD and LD_AUDIT name a file that suits 64-bit and 32-bit children alike
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: preload.py DIR    makes DIR/preload, beside DIR/libgomp.so.1 and the other libraries

The loader of a child of another class (a 32-bit tool that a 64-bit program starts) complains on
stderr about each LD_PRELOAD that it cannot load: a 64-bit file, a missing file, a bare name. So
LD_PRELOAD is DIR/preload/$PLATFORM/libgomp.so.1, and each loader puts its own word there: those
of the library's class lead to the library, the others to an empty shared object of their class.
$PLATFORM rather than $LIB, which is "lib" for either class, as the distribution likes. LD_AUDIT is
the same; there the other class's object has a la_version() that answers 0: not for this process.
"""

import os
import struct
import sys

# Values of $PLATFORM (glibc's dl_platform, AT_PLATFORM) by machine, and the foreign class's.
OWN_PLATFORMS = {62: ("x86_64", "haswell", "xeon_phi"), 183: ("aarch64",)}
I386_PLATFORMS = ("i386", "i486", "i586", "i686", "athlon")
EM_386 = 3
FOLDER, FILE = "preload", "libgomp.so.1"
HOLD_FILE = "libnanogomp-hold.so"  # of `nanogomp run --hold-threads`
MPI_FILE = "libnanogomp-mpi.so"  # of `nanogomp run --mpi-tasks`
AUDIT_FILE = "libnanogomp-audit.so"
FILES = (FILE, HOLD_FILE, AUDIT_FILE)
LA_VERSION = b"la_version"
RETURN_0 = b"\x31\xc0\xc3"            # xor %eax, %eax; ret
STUB_SONAME = b"libnanogomp-empty.so"  # not libgomp.so.1: it must not serve a 32-bit program


def empty_i386(function=b""):
    """A 32-bit shared object: one PT_LOAD, one PT_DYNAMIC. With `function`, that is its one symbol,
    and answers 0; else there is no code."""
    strings = b"\0" + STUB_SONAME + b"\0" + function + b"\0"
    header_size, segment_size, count = 52, 32, 1 + bool(function)
    symbols = header_size + 3 * segment_size
    hash_table = symbols + 16 * count              # the symbol table begins with the null symbol
    code = hash_table + 4 * (3 + count)
    text = code + 4
    dynamic = (text + len(strings) + 3) & ~3
    entries = [(14, 1), (4, hash_table), (5, text), (6, symbols), (10, len(strings)), (11, 16),
               (0, 0)]                             # SONAME HASH STRTAB SYMTAB STRSZ SYMENT NULL
    size = dynamic + 8 * len(entries)
    header = struct.pack("<4sBBB9xHHIIIIIHHHHHH", b"\x7fELF", 1, 1, 1, 3, EM_386, 1, 0,
                         header_size, 0, 0, header_size, segment_size, 3, 0, 0, 0)
    # glibc writes the addresses of the tables back into the dynamic section: read and write, and
    # execute only where there is code
    load = struct.pack("<8I", 1, 0, 0, 0, size, size, 7 if function else 6, 0x1000)
    dynamic_segment = struct.pack("<8I", 2, dynamic, dynamic, dynamic, size - dynamic,
                                  size - dynamic, 6, 4)
    stack = struct.pack("<8I", 0x6474E551, 0, 0, 0, 0, 0, 6, 16)  # PT_GNU_STACK: not executable
    body = header + load + dynamic_segment + stack + bytes(16)
    if function:                                   # a global function in "section" 1
        body += struct.pack("<IIIBBH", 2 + len(STUB_SONAME), code, len(RETURN_0), 0x12, 0, 1)
    body += struct.pack("<%dI" % (3 + count), 1, count, count - 1, *[0] * count)  # one bucket
    body += (RETURN_0 if function else b"").ljust(4, b"\0") + strings
    body += bytes(dynamic - len(body))
    return body + b"".join(struct.pack("<2I", *entry) for entry in entries)


def make(folder, machine):
    """Makes folder/preload for a library of `machine`; False when the machine is not known."""
    if machine not in OWN_PLATFORMS:
        return False
    base = os.path.join(folder, FOLDER)
    for platform in OWN_PLATFORMS[machine]:
        os.makedirs(os.path.join(base, platform), exist_ok=True)
        for name in FILES:
            link = os.path.join(base, platform, name)
            if not os.path.islink(link):
                os.symlink(os.path.join("..", "..", name), link)
    if OWN_PLATFORMS[machine][0] == "x86_64":
        for platform in I386_PLATFORMS:
            os.makedirs(os.path.join(base, platform), exist_ok=True)
            for name in FILES:
                with open(os.path.join(base, platform, name), "wb") as file:
                    file.write(empty_i386(LA_VERSION if name == AUDIT_FILE else b""))
    return True


def is_made(folder, machine, name=FILE):
    return machine in OWN_PLATFORMS and all(
        os.path.exists(os.path.join(folder, FOLDER, platform, name))
        for platform in OWN_PLATFORMS[machine])


def value(folder, machine, name=FILE):
    """What LD_PRELOAD gets for this file."""
    middle = (FOLDER, "$PLATFORM") if is_made(folder, machine, name) else ()
    return os.path.join(folder, *middle, name)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    machines = {"x86_64": 62, "aarch64": 183}
    make(sys.argv[1], machines.get(os.uname().machine))


if __name__ == "__main__":
    main()
