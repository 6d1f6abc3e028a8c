#!/usr/bin/env python3
# check_twins.py - the generated Fortran names convert their arguments and results as they should
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates the twins of all rows (the todo ones too) and runs twins.c with them."""

import argparse
import pathlib
import tempfile

from common import ROOT, abi_table, finish, need, run

import gen  # tools/abi, put on the path by common

FLAGS = ("-std=gnu17", "-O1", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror")


def all_done(folder):
    """The table with every row done."""
    for name in ("symbols.def", "nodes.def", "nth.def"):
        text = (ROOT / "abi" / name).read_text(encoding="utf-8")
        (folder / name).write_text(text.replace("| todo |", "| done |"), encoding="utf-8")
    return abi_table.Table(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cc", default="cc")
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
        run(compiler, *FLAGS, f"-I{ROOT}", f"-I{folder}", folder / "abi_fortran.c",
            pathlib.Path(__file__).with_name("twins.c"), "-ffunction-sections",
            "-Wl,--gc-sections", "-o", program)
        text = run(program, ok=(0, 1))
    errors = [line for line in text.splitlines() if line != "done"]
    if "done" not in text:
        errors.append("twins.c did not reach its end")
    finish(errors, "Fortran names")


if __name__ == "__main__":
    main()
