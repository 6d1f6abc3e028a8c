#!/usr/bin/env python3
# check_abidiff.py - abidiff against the system's libgomp.so.1: only todo rows may be missing
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table is our own; abidiff with a real libgomp is the second opinion.

Distributions strip libgomp, so abidiff sees names and versions, no types: types are compared by
check_builtins.py and check_omp_h.py.
"""

import argparse
import re

from check_exports import exported
from common import abi_table, finish, need, run, skip

# abidiff's exit status is a set of bits: 1 and 2 are errors, 4 a change, 8 an incompatible one
ABIDIFF_OK = (0, 4, 8, 12)


def system_library(compiler):
    """The libgomp that the compiler links with."""
    path = run(compiler, "-print-file-name=libgomp.so.1").strip()
    if "/" not in path:
        skip("no libgomp.so.1 on this system")
    return path


def changes(text, letter):
    """name@version of the lines that abidiff marks with [D], [A] or [C]."""
    found = set()
    for line in text.splitlines():
        match = re.match(rf"\s*\[{letter}\]\s+(.*)", line)
        if match:
            braces = re.search(r"\{([^,}]+)", match[1])
            found.add((braces[1] if braces else match[1].split(",")[0]).strip())
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--gcc", default="gcc")
    parser.add_argument("--system", help="the libgomp to compare with")
    args = parser.parse_args()
    abidiff = need("abidiff")
    system = args.system or system_library(need(args.gcc))
    table = abi_table.Table()

    text = run(abidiff, "--no-default-suppression", system, args.library, ok=ABIDIFF_OK)
    if "Function symbols changes summary" not in text:
        finish(["abidiff's output is not understood:\n" + text], "")
    removed, added, changed = (changes(text, letter) for letter in "DAC")
    marks = {f"{row.name}{row.mark}{row.node}": row for row in table.rows}
    errors = [f"changed: {name}" for name in sorted(changed)]
    for name in sorted(removed):
        row = marks.get(name)
        if row is None:
            errors.append(f"{name}: in the system's libgomp, not in the table")
        elif row.is_done:
            errors.append(f"{name}: done, but abidiff calls it removed")
    # abidiff does not look at which of two versions is the default
    for name in sorted(exported(need("readelf"), system)[0] - set(marks)):
        errors.append(f"{name}: in the system's libgomp with another mark or node")
    ours = {f"{row.name}@@{abi_table.NTH_NODE}" for row in table.nth}
    for name in sorted(added - ours):
        if name not in marks:
            errors.append(f"{name}: added, not in the table")
    finish(errors, f"{len(removed)} removed (all todo), {len(added)} added, compared with {system}")


if __name__ == "__main__":
    main()
