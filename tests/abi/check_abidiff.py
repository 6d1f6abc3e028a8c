#!/usr/bin/env python3
# check_abidiff.py - abidiff against every libgomp.so.1 installed: only todo rows may be missing
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table is our own; abidiff with a real libgomp is the second opinion.

Distributions strip libgomp, so abidiff sees names and versions, no types: types are compared by
check_builtins.py and check_omp_h.py.
"""

import argparse
import os
import re
import shutil

from check_exports import exported, nodes
from common import abi_table, compilers, finish, need, run, skip

# abidiff's exit status is a set of bits: 1 and 2 are errors, 4 a change, 8 an incompatible one
ABIDIFF_OK = (0, 4, 8, 12)
# its first line: of symbols where one side has no debug information (libabigail 2.2), of functions
# where abidiff 3 knows the types of ours
SUMMARY = re.compile(r"^(Function symbols|Functions) changes summary: \d+ Removed", re.MULTILINE)


def system_libraries(gcc):
    """The libgomps that the installed compilers link with, and the loader's own."""
    paths = {run(name, "-print-file-name=libgomp.so.1").strip() for name in compilers(gcc)}
    ldconfig = shutil.which("ldconfig", path=os.environ.get("PATH", "") + ":/sbin:/usr/sbin")
    if ldconfig:
        paths |= set(re.findall(r"libgomp\.so\.1 .*=> (\S+)", run(ldconfig, "-p", ok=(0, 1))))
    found = {os.path.realpath(path) for path in paths if "/" in path and os.path.exists(path)}
    if not found:
        skip("no libgomp.so.1 on this system")
    return sorted(found)


def changes(text, letter):
    """name@version of the lines that abidiff marks with [D], [A] or [C]."""
    found = set()
    for line in text.splitlines():
        match = re.match(rf"\s*\[{letter}\]\s+(.*)", line)
        if match:
            braces = re.search(r"\{([^,}]+)", match[1])
            found.add((braces[1] if braces else match[1].split(",")[0]).strip())
    return found


def compare(abidiff, readelf, system, library, table):
    """Errors, and a word about what was found."""
    text = run(abidiff, "--no-default-suppression", system, library, ok=ABIDIFF_OK)
    if not SUMMARY.search(text):
        return ["abidiff's output is not understood:\n" + text], ""
    removed, added, changed = (changes(text, letter) for letter in "DAC")
    marks = {f"{row.name}{row.mark}{row.node}": row for row in table.rows}
    errors = [f"changed: {name}" for name in sorted(changed)]
    for name in sorted(removed):
        row = marks.get(name)
        if row is None:
            errors.append(f"{name}: in the system's libgomp, not in the table")
        elif row.is_done:
            errors.append(f"{name}: done, but abidiff calls it removed")
    # abidiff looks neither at which of two versions is the default nor at the nodes
    theirs = exported(readelf, system)[0]
    for name in sorted(theirs - set(marks)):
        errors.append(f"{name}: in the system's libgomp with another mark or node")
    for node, parent in sorted(nodes(readelf, system).items()):
        if table.nodes.get(node) != parent:
            errors.append(f"node {node}: parent {parent}, in the table {table.nodes.get(node)}")
    ours = {f"{row.name}@@{abi_table.NTH_NODE}" for row in table.nth}
    for name in sorted(added - ours):
        if name not in marks:
            errors.append(f"{name}: added, not in the table")
    if len(theirs) < 100:
        errors.append(f"only {len(theirs)} symbols read: has readelf's format changed?")
    todo = f"{len(removed)} of {len(theirs)} removed" + (" (all todo)" if removed else "")
    return errors, f"{todo}, {len(added)} added, compared with {system}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--gcc", default="gcc")
    parser.add_argument("--system", action="append", help="a libgomp to compare with")
    args = parser.parse_args()
    abidiff, readelf = need("abidiff"), need("readelf")
    table, errors, words = abi_table.Table(), [], []
    for system in args.system or system_libraries(args.gcc):
        wrong, word = compare(abidiff, readelf, system, args.library, table)
        errors += wrong
        words.append(word)
    finish(errors, "; ".join(words))


if __name__ == "__main__":
    main()
