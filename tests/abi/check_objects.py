#!/usr/bin/env python3
# check_objects.py - each symbol is defined in the file its row names; only abi/ exports
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the object files that the library was linked from.

The done rows' functions stand in abi/<file>; every such file includes abi_protos.h, so the
compiler has compared its definitions with the table; nothing else in abi/ and nothing at all in
runtime/ is visible outside (global with default visibility).
"""

import argparse
import pathlib
import re

from common import ROOT, abi_table, finish, need, run, skip

GENERATED = "abi_fortran.c"


def visible(readelf, path):
    """Names that an object file defines for everybody; versioned aliases left out."""
    names = set()
    for line in run(readelf, "-s", "-W", path).splitlines():
        cells = line.split()
        if len(cells) >= 8 and cells[4] in ("GLOBAL", "WEAK") and cells[5] == "DEFAULT":
            if cells[6] != "UND" and "@" not in cells[7]:
                names.add(cells[7])
    return names


def is_for_linker(readelf, path):
    """Whether it holds what -flto leaves for the linker in place of code."""
    if path.read_bytes()[:2] == b"BC":  # clang
        return True
    return "__gnu_lto_slim" in run(readelf, "-s", "-W", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("objects", nargs="+", help="object files of abi/ and runtime/")
    args = parser.parse_args()
    readelf = need("readelf")
    if is_for_linker(readelf, pathlib.Path(args.objects[0])):
        skip("built for optimization at link time, the objects have no code")
    table = abi_table.Table()

    wanted = {}
    for row in table.done():
        file = GENERATED if row.file == "generated" else row.file
        wanted.setdefault(file, set()).add(table.function(row))
    for row in table.nth:
        if row.is_done:
            wanted.setdefault(row.file, set()).add(row.name)
    todo = {table.function(row): row.file for row in table.rows if not row.is_done}

    errors, seen = [], set()
    for path in map(pathlib.Path, args.objects):
        source = re.sub(r"\.o(bj)?$", "", path.name)
        names = visible(readelf, path)
        if "/runtime/" in path.as_posix():
            errors += [f"{source}: {name} is visible outside" for name in sorted(names)]
            continue
        seen.add(source)
        rows = wanted.get(source, set())
        for name in sorted(rows - names):
            errors.append(f"{name}: done, but not defined in abi/{source}")
        for name in sorted(names - rows):
            if todo.get(name) != source:  # code may come before the row is flipped
                errors.append(f"abi/{source}: defines {name}, which no row puts there")
        text = ROOT / "abi" / source
        if rows and text.exists() and '"abi_protos.h"' not in text.read_text(encoding="utf-8"):
            if any(table.by_name(name) or name.startswith("nth_abi_") for name in rows):
                errors.append(f'abi/{source}: #include "abi_protos.h" is missing')
    errors += [f"abi/{file}: named by the table, not built" for file in sorted(set(wanted) - seen)]
    finish(errors, f"{sum(map(len, wanted.values()))} functions in {len(wanted)} files")


if __name__ == "__main__":
    main()
