#!/usr/bin/env python3
# check_sections.py - what each process touches of the library lies in few pages
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares addresses of the library with runtime/arch/section.h and cmake/NthOrder.cmake.

Variables: the small ones, which starts and regions use, lie together at the beginning of .bss, and
the tables that most processes never use behind them. Functions: those of a start and of a first
region lie together at the beginning of the code, then those of tasks and loops. Large tables of
constants lie behind the small ones. Tables with pointers, which the loader writes: two pages at
most.
"""

import argparse
import re

from common import finish, need, run

SMALL = 600  # bytes of a variable
SMALL_SPAN = 4416  # bytes in which all small variables of .bss lie
DATA = 5120  # bytes of variables with a value, most of them the table of OMPD
FIRST = """GOMP_parallel nth_allowed_begin nth_env_load nth_group_grow nth_heap_alloc
nth_headroom_free nth_holder_adopt nth_member_make nth_members_begin nth_ready_grow
nth_quota_find nth_task_queued nth_team_parallel nth_team_prepare nth_told_begin nth_wait_learn
nth_worker_new nth_worker_start parse_num_threads pthread_atfork""".split()
LARGE = 4096  # bytes of a constant
RELRO = 2 * 4096  # bytes that the loader writes and then protects
NEXT = "GOMP_barrier GOMP_task nth_deque_steal nth_loop_next nth_task_run".split()
PARTS = ((0.35, FIRST), (0.55, NEXT))  # of the code, before which these functions end


def symbols(nm, library, kinds):
    """[(address, size, name)] of the symbols of these kinds."""
    rows = (line.split() for line in run(nm, "-nS", "--defined-only", library).splitlines())
    return [
        (int(r[0], 16), int(r[1], 16), r[3].partition("@")[0])
        for r in rows
        if len(r) == 4 and r[2] in kinds
    ]


def section(readelf, library, name):
    """Address and size of a section."""
    found = re.search(
        rf"\s{re.escape(name)}\s+\w+\s+([0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+)",
        run(readelf, "-SW", library),
    )
    return int(found[1], 16), int(found[2], 16)


def bss_errors(readelf, library, variables):
    """Small variables among large tables."""
    limit = section(readelf, library, ".bss")[0] + SMALL_SPAN
    # those of the TLS block have addresses below
    late = [name for at, size, name in variables if size < SMALL and at >= limit]
    return [f"{name} lies more than {SMALL_SPAN} bytes behind the start of .bss" for name in late]


def rodata_errors(constants):
    """Large constants among small ones."""
    large = min((at for at, size, _ in constants if size >= LARGE), default=float("inf"))
    return [
        f"{name} lies behind {LARGE} bytes and more of constants: see NTH_LATE"
        for at, size, name in constants
        if size < LARGE and at > large
    ]


def text_errors(readelf, library, functions):
    """Functions of starts, tasks and loops among the others."""
    begin, size = section(readelf, library, ".text")
    end = {name: (at + length - begin) / size for at, length, name in functions}
    return [
        f"{name} ends at {end.get(name, 'no place')} of the code, not before {part}"
        for part, names in PARTS
        for name in names
        if end.get(name, 1) > part
    ]


def relro_errors(readelf, library):
    """More tables with pointers than there were."""
    segments = run(readelf, "-lW", library)
    size = int(re.search(r"GNU_RELRO(?:\s+0x[0-9a-f]+){4}\s+0x([0-9a-f]+)", segments)[1], 16)
    page = int(re.search(r"LOAD\s.*\s0x([0-9a-f]+)$", segments, re.M)[1], 16)
    if page > 4096:  # aarch64: the linker fills a page of 64 KiB
        return []
    if size <= RELRO:
        return []
    return [f"{size} bytes in tables with pointers, limit {RELRO}: put text into the tables"]


def data_errors(readelf, library):
    """More variables with a value than there were."""
    size = section(readelf, library, ".data")[1]
    return [f".data has {size} bytes, limit {DATA}: a page more"] if size > DATA else []


def end_errors(readelf, library):
    """The empty function at the end of the code, which the loader calls."""
    called = re.search(r"\(FINI\)", run(readelf, "-dW", library))
    return ["_fini is called, at the end of the code (NthCompile.cmake)"] if called else []


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    args = parser.parse_args()
    readelf, nm = need("readelf"), need("nm")
    variables = symbols(nm, args.library, "bB")
    functions = symbols(nm, args.library, "tT")
    errors = text_errors(readelf, args.library, functions)
    # lld sorts no sections, and fills its pages
    if not re.search(r"Linker:.*\bLLD ", run(readelf, "-p", ".comment", args.library)):
        errors += bss_errors(readelf, args.library, variables)
        errors += rodata_errors(symbols(nm, args.library, "rR"))
        errors += relro_errors(readelf, args.library)
    errors += data_errors(readelf, args.library) + end_errors(readelf, args.library)
    finish(errors, f"{len(variables)} variables, {len(functions)} functions")


if __name__ == "__main__":
    main()
