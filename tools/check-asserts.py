#!/usr/bin/env python3
# check-asserts.py - rooms with shared structures have asserts, a release has none
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two rules:

density  a room of ROOMS has at least LEAST uses of nth_assert() and nth_assert_valid() in 1000 of
         its lines (runtime/base/check.h)
release  no object of a build without asserts (NTH_CHECK=0) refers to nth_check_failed. Without
         BUILD, or in one with asserts, this is not looked at
"""

import argparse
import pathlib
import re
import runpy
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LEAST = 15  # for 1000 lines
ROOMS = ("mem", "nth", "struct", "sched/adapt", "sched/hold", "sched/nano", "sched/threads",
         "sched/wait", "omp/nano", "omp/queue", "omp/sync", "omp/tasks", "omp/taskloop", "omp/team",
         "omp/worksharing")
USE = re.compile(r"\bnth_assert(?:_valid)?\(")


def density(folder):
    """(asserts, lines) of the sources that lie in a folder."""
    asserts = lines = 0
    for path in folder.glob("*.[ch]"):
        text = path.read_text(encoding="utf-8")
        asserts += len(USE.findall(re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)))
        lines += text.count("\n")
    return asserts, lines


def thin_rooms(root, least):
    """Errors, one a room with too few."""
    errors = []
    for room in ROOMS:
        asserts, lines = density(root / "runtime" / room)
        if lines == 0 or asserts * 1000 < least * lines:
            errors.append(f"runtime/{room}: {asserts} asserts in {lines} lines, "
                          f"{least} in 1000 are due")
    return errors


def without_asserts(build):
    """Whether a build folder is one of a release."""
    cache = build / "CMakeCache.txt"
    return cache.is_file() and "\nNTH_CHECK:STRING=0\n" in cache.read_text(encoding="utf-8")


def left_in(build):
    """Errors, one an object that has asserts."""
    objects = sorted((build / "CMakeFiles/nth_runtime.dir").rglob("*.o"))
    symbols = runpy.run_path(str(ROOT / "tools/check-layers.py"))["symbols"]
    _, used = symbols({path: path for path in objects})
    return [f"{path.relative_to(build)}: has asserts, NTH_CHECK is 0" for path, symbol in used
            if symbol == "nth_check_failed"]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the tree to look at")
    parser.add_argument("--list", action="store_true", help="print each room's count")
    parser.add_argument("build", type=pathlib.Path, nargs="?", metavar="BUILD",
                        help="as build/release")
    arguments = parser.parse_args()
    errors = thin_rooms(arguments.root, LEAST)
    if arguments.build and shutil.which("nm") and without_asserts(arguments.build):
        errors += left_in(arguments.build)
    if arguments.list:
        for room in ROOMS:
            asserts, lines = density(arguments.root / "runtime" / room)
            print(f"{1000 * asserts / max(lines, 1):5.1f}  {room}")
    for error in errors:
        print("error:", error)
    print(f"{len(errors)} errors" if errors else f"ok: {len(ROOMS)} rooms")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
