# identity.py - whether files of code are still those that a process ran
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A profile or a trace that is kept may be read when its program has been built again. Then its
addresses mean other lines. So the command notes beside it, in FILE.ids, what each file of code was:
a line of its build-id, else of its size and checksum, and its path. A file that is not in the list
is taken as it is: the tool may have been used by hand, without the command."""

import os
import zlib

from nanogomp_lib import elf

SUFFIX = ".ids"
PIECE = 1 << 20


def identity(path):
    """Words without blanks between them; None: the file cannot be read."""
    try:
        name = elf.Elf(path).build_id()
        if name:
            return "id:" + name
    except (OSError, elf.NotElf):
        pass
    try:
        size, number = 0, 0
        with open(path, "rb") as file:
            for piece in iter(lambda: file.read(PIECE), b""):
                size, number = size + len(piece), zlib.crc32(piece, number)
        return "sum:%d:%08x" % (size, number)
    except OSError:
        return None


def note(record, modules):
    """Writes the identities of modules (of sites.py) beside a profile or trace. Without room there
    is no list."""
    found = {path: identity(path) for path in sorted({module.path for module in modules})
             if path.startswith("/")}
    try:
        with open(record + SUFFIX, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.writelines("%s %s\n" % (name, path) for path, name in found.items() if name)
    except OSError:
        forget(record)


def noted(record):
    """{path: identity}"""
    try:
        with open(record + SUFFIX, encoding="utf-8", errors="surrogateescape") as file:
            pairs = [line.rstrip("\n").partition(" ") for line in file]
    except OSError:
        return {}
    return {path: name for name, _, path in pairs}


def forget(record):
    try:
        os.unlink(record + SUFFIX)
    except OSError:
        pass


def text_of(changed):
    """The line about files that have changed."""
    paths = sorted(changed)
    more = " and %d more" % (len(paths) - 1) if len(paths) > 1 else ""
    return "%s%s: changed since the run; places in it are addresses" % (paths[0], more)
