#!/usr/bin/env python3
# check-reasons.py - NTH_STALL and gdb's commands have the same words for what a thread waits for
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: check-reasons.py [--root DIR]

Compares the rows of runtime/omp/told/reasons.h with tools/gdb/reasons.py, in both directions:
states, kinds, texts; the numbers there with omp-tools.h. Each state that members note (states.h)
has a row. gdb's commands and stall_text.c have no words of their own for waits."""

import argparse
import importlib.util
import pathlib
import re
import sys

ROW = re.compile(r'^ +X\((\w+), (\w+), "([^"]*)"\)', re.M)
NUMBER = re.compile(r"\bompt_state_(\w+) *= *(0x[0-9a-fA-F]+|\d+)")
NOTED = re.compile(r"^ +NOTED\((\w+)\)", re.M)
OWN_WORDS = re.compile(r'"waits (?:at|for)\b')
USERS = ("runtime/omp/told/stall_text.c", "tools/gdb/nanogomp_waits.py")
UNSAID = {"undefined"}  # a member that has ended


def table(path):
    spec = importlib.util.spec_from_file_location("reasons", path)
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    return module.STATES


def faults(root):
    def read(name):
        return (root / name).read_text(encoding="utf-8")
    ours = {state: (kind, text)
            for state, kind, text in ROW.findall(read("runtime/omp/told/reasons.h"))}
    theirs = table(root / "tools/gdb/reasons.py")
    numbers = {name: int(text, 0)
               for name, text in NUMBER.findall(read("runtime/omp/tool/omp-tools.h"))}
    noted = set(NOTED.findall(read("runtime/omp/tool/states.h"))) - UNSAID
    if not ours or not numbers or not noted:
        yield "reasons.h, omp-tools.h or states.h has no row that this check understands"
    for state in sorted(set(ours) | set(theirs)):
        if state not in ours or state not in theirs:
            yield "%s: only in %s" % (state, "reasons.h" if state in ours else "reasons.py")
        elif ours[state] != theirs[state][1:]:
            yield "%s: reasons.h has %r, reasons.py %r" % (state, ours[state], theirs[state][1:])
        elif numbers.get(state) != theirs[state][0]:
            yield "%s: is %s in omp-tools.h, %#x in reasons.py" % (
                state, numbers.get(state), theirs[state][0])
    for state in sorted(noted - set(ours)):
        yield "%s: members note it (states.h), reasons.h has no words for it" % state
    for name in USERS:
        if OWN_WORDS.search(read(name)):
            yield "%s: has words of its own for a wait; reasons.h has them all" % name


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--root", type=pathlib.Path,
                   default=pathlib.Path(__file__).resolve().parents[1], help="a tree of sources")
    root = p.parse_args().root
    found = list(faults(root))
    for fault in found:
        print("check-reasons: " + fault, file=sys.stderr)
    if not found:
        print("ok: %d states" % len(table(root / "tools/gdb/reasons.py")))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
