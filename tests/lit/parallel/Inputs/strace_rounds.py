# strace_rounds.py - counts the threads made and ended between a program's marks
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: strace_rounds.py PROGRAM LIBRARY

The marks are access() of /nanogomp-rounds-begin and -end. Without strace, or where it may not
trace, nothing is checked.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "support"))
import traced  # noqa: E402

PROGRAM, LIBRARY = sys.argv[1:3]
CALLS = re.compile(r"\b(clone|clone3|fork|vfork|exit|exit_group)\(")
FILTER = "trace=clone,clone3,fork,vfork,exit,exit_group,access,faccessat,faccessat2"


def main():
    lines = traced.lines_of(["-qq", "-e", FILTER], [PROGRAM], LIBRARY)
    if lines is None:
        return 0
    marks = [i for i, line in enumerate(lines) if "/nanogomp-rounds-" in line]
    if len(marks) < 2:
        print("the program has set %d marks" % len(marks))
        return 1
    made_before = [line for line in lines[:marks[0]] if re.search(r"\bclone3?\(", line)]
    found = [line for line in lines[marks[0]:marks[-1]] if CALLS.search(line)]
    print("%d threads made before the rounds; in the rounds:" % len(made_before))
    print("\n".join(found) or "nothing")
    return 0 if made_before and not found else 1


sys.exit(main())
