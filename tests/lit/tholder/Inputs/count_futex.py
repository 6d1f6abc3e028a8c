# count_futex.py - counts a program's calls of futex, each of which strace makes slow
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: count_futex.py MOST LIBRARY PROGRAM [ARGUMENT ...]

Runs the program under strace up to five times, until it has made at most MOST calls. Without
strace, or where it may not trace, nothing is checked.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "support"))
import traced  # noqa: E402

MOST, LIBRARY, COMMAND = int(sys.argv[1]), sys.argv[2], sys.argv[3:]


def main():
    found = []
    while len(found) < 5 and (not found or min(found) > MOST):
        lines = traced.lines_of(["-c"], COMMAND, LIBRARY)
        if lines is None:
            return 0
        rows = [line.split() for line in lines if line.endswith(" futex")]
        found.append(sum(int(row[3]) for row in rows))
    print("calls of futex:", found)
    return 1 if min(found) > MOST else 0


sys.exit(main())
