#!/usr/bin/env python3
# check_twins.py - the generated Fortran names convert their arguments and results as they should
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates the twins of all rows (the todo ones too) and runs twins.c with them."""

import argparse
import pathlib
import tempfile

from common import ROOT, abi_table, finish, need, run

import gen  # tools/abi, put on the path by common

FLAGS = ("-std=gnu17", "-O1", "-Wall", "-Wextra", "-Wconversion", "-Wshadow")


def all_done(folder):
    """The table with every row done."""
    for name in ("symbols.def", "nodes.def", "nth.def"):
        text = (ROOT / "abi" / name).read_text(encoding="utf-8")
        (folder / name).write_text(text.replace("| todo |", "| done |"), encoding="utf-8")
    return abi_table.Table(folder)


def pair_errors(table):
    """The name for INTEGER(8) has the type of the one for INTEGER(4), but for wider integers."""
    errors = []
    for row in table.rows:
        for wide, narrow in (("_8_", "_"), ("_64_h_", "_32_h_")):
            if not row.name.endswith(wide):
                continue
            other = table.by_name(row.name[: -len(wide)] + narrow)
            if other is None:
                errors.append(f"{row.name}: there is no {row.name[: -len(wide)] + narrow}")
                continue
            have = abi_table.split_prototype(row.prototype)
            want = abi_table.split_prototype(other.prototype)
            pairs = list(zip(want[1], have[1]))
            widened = sum(a != b and a.replace("int32_t", "int64_t") == b for a, b in pairs)
            same = sum(a == b for a, b in pairs)
            if have[0] != want[0] or len(have[1]) != len(want[1]) or widened + same != len(pairs):
                errors.append(f"{row.name}: {row.prototype}; {other.name}: {other.prototype}")
            elif widened == 0:
                errors.append(f"{row.name}: nothing is wider than in {other.name}")
    return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--werror", action="store_true", help="a warning fails the test")
    args = parser.parse_args()
    compiler = need(args.cc)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        table = all_done(folder)
        for output in ("abi_protos.h", "abi_fortran.c"):
            text = "\n".join(gen.OUTPUTS[output](table)) + "\n"
            (folder / output).write_text(text, encoding="utf-8")
        program = folder / "twins"
        # twins.c defines the C functions that it looks at; gc-sections drops the other twins
        flags = (*FLAGS, "-Werror") if args.werror else FLAGS
        run(compiler, *flags, f"-I{ROOT}", f"-I{folder}", folder / "abi_fortran.c",
            pathlib.Path(__file__).with_name("twins.c"), "-ffunction-sections",
            "-Wl,--gc-sections", "-o", program)
        text = run(program, ok=(0, 1))
    errors = pair_errors(table) + [line for line in text.splitlines() if line != "done"]
    if "done" not in text:
        errors.append("twins.c did not reach its end")
    finish(errors, "Fortran names")


if __name__ == "__main__":
    main()
