#!/usr/bin/env python3
# check_sections.py - what each process touches of the library lies in few pages
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the addresses of the library's variables with runtime/arch/section.h.

Variables: the small ones, which starts and regions use, lie together at the beginning of .bss, and
the tables that most processes never use behind them.
"""

import argparse
import re

from common import finish, need, run, skip

SMALL = 1024  # bytes of a variable
SMALL_SPAN = 5 * 4096  # bytes in which all small variables of .bss lie


def variables(nm, library):
    """[(address, size, name)] of .bss."""
    rows = (line.split() for line in run(nm, "-nS", "--defined-only", library).splitlines())
    return [(int(r[0], 16), int(r[1], 16), r[3]) for r in rows if len(r) == 4 and r[2] in "bB"]


def bss_errors(nm, readelf, library):
    """Small variables among large tables."""
    begin = re.search(r"\s\.bss\s+NOBITS\s+([0-9a-f]+)", run(readelf, "-SW", library))
    limit = int(begin[1], 16) + SMALL_SPAN
    # those of the TLS block have addresses below
    late = [name for at, size, name in variables(nm, library) if size < SMALL and at >= limit]
    return [f"{name} lies more than {SMALL_SPAN} bytes behind the start of .bss" for name in late]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    args = parser.parse_args()
    readelf, nm = need("readelf"), need("nm")
    if re.search(r"Linker:.*\bLLD ", run(readelf, "-p", ".comment", args.library)):
        skip("lld does not sort sections")
    errors = bss_errors(nm, readelf, args.library)
    finish(errors, f"{len(variables(nm, args.library))} variables")


if __name__ == "__main__":
    main()
