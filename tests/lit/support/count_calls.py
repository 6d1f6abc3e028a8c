# count_calls.py - counts how often a program makes a system call; strace makes each one slow
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: count_calls.py CALL MOST LIBRARY PROGRAM [ARGUMENT ...]

Runs the program under strace until it has made at most MOST calls, up to twelve times: while
others have the CPUs, its threads sleep more often. Without strace, or where it may not trace,
nothing is checked.
"""
import sys

import traced

CALL, MOST, LIBRARY, COMMAND = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:]
TRIES = 12


def main():
    found = []
    while len(found) < TRIES and (not found or min(found) > MOST):
        lines = traced.lines_of(["-c"], COMMAND, LIBRARY)
        if lines is None:
            return 0
        rows = [line.split() for line in lines if line.endswith(" " + CALL)]
        found.append(sum(int(row[3]) for row in rows))
    print("calls of %s:" % CALL, found)
    return 1 if min(found) > MOST else 0


sys.exit(main())
