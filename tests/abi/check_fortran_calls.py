#!/usr/bin/env python3
# check_fortran_calls.py - every Fortran name that is done is called by a program of tests/lit
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the Fortran programs of tests/lit with the flags of their RUN lines and reads what they
need from the library.

A name that new programs cannot link with (an old version, or newer than the compiler's omp_lib) is
called through find_symbol: name and node stand in the program, quoted.
"""

import argparse
import pathlib
import re
import tempfile

from common import ROOT, abi_table, finish, need, run

BUILD = re.compile(r"RUN:.*%(omp|acc)_(?:test|build)\b(.*)")


def variants(text):
    """The sets of compiler flags that a program is built with."""
    for kind, line in BUILD.findall(text):
        own = ("-fopenacc",) if kind == "acc" else ()
        flags = (word for word in line.partition("&&")[0].split() if word.startswith("-f"))
        yield own + tuple(flags)


def needed(compiler, readelf, program, flags, folder):
    """Names that the program, compiled with the flags, leaves undefined."""
    output = pathlib.Path(folder) / "program.o"
    run(compiler, "-fopenmp", *flags, "-w", "-I", ROOT / "tests" / "lit" / "support", "-J", folder,
        "-c", program, "-o", output)
    names = set()
    for line in run(readelf, "-s", "-W", output).splitlines():
        cells = line.split()
        if len(cells) >= 8 and cells[6] == "UND":
            names.add(cells[7])
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fc", default="gfortran")
    args = parser.parse_args()
    compiler, readelf = need(args.fc), need("readelf")
    linked, looked_up = set(), set()
    with tempfile.TemporaryDirectory() as folder:
        for program in sorted((ROOT / "tests" / "lit").rglob("*.f90")):
            text = program.read_text(encoding="utf-8")
            for flags in sorted(set(variants(text))):
                linked |= needed(compiler, readelf, program, flags, folder)
            if "find_symbol" in text:
                quoted = re.findall(r"'([\w.]+)'", text)
                looked_up |= {(name, node) for name in quoted for node in quoted}

    table = abi_table.Table()
    rows = [row for row in table.done() if row.name.endswith("_")]
    errors = [
        f"{row.name}{row.mark}{row.node}: no program of tests/lit calls it"
        for row in rows
        if (row.name not in linked or row.mark == "@") and (row.name, row.node) not in looked_up
    ]
    finish(errors, f"{len(rows)} Fortran names are called")


if __name__ == "__main__":
    main()
