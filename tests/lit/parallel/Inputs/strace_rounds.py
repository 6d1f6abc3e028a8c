# strace_rounds.py - counts the threads made and ended between a program's marks
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: strace_rounds.py PROGRAM LIBRARY

The marks are access() of /nanogomp-rounds-begin and -end. Without strace, or where it may not
trace, nothing is checked.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM, LIBRARY = sys.argv[1:3]
CALLS = re.compile(r"\b(clone|clone3|fork|vfork|exit|exit_group)\(")
FILTER = "trace=clone,clone3,fork,vfork,exit,exit_group,access,faccessat,faccessat2"


def main():
    if not shutil.which("strace"):
        print("no strace: not checked")
        return 0
    with tempfile.NamedTemporaryFile("r") as log:
        command = ["strace", "-f", "-qq", "-e", FILTER, "-o", log.name, PROGRAM]
        environment = dict(os.environ, LD_LIBRARY_PATH=os.path.dirname(LIBRARY),
                           ASAN_OPTIONS="detect_leaks=0")  # which would trace, too
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, timeout=300)
        lines = log.read().splitlines()
    marks = [i for i, line in enumerate(lines) if "/nanogomp-rounds-" in line]
    if not marks and ("ptrace" in done.stderr or "Operation not permitted" in done.stderr):
        print("strace cannot trace here: not checked")
        return 0
    if done.returncode != 0 or len(marks) < 2:
        print("status %d\n%s" % (done.returncode, done.stderr))
        return 1
    made_before = [line for line in lines[:marks[0]] if re.search(r"\bclone3?\(", line)]
    found = [line for line in lines[marks[0]:marks[-1]] if CALLS.search(line)]
    print("%d threads made before the rounds; in the rounds:" % len(made_before))
    print("\n".join(found) or "nothing")
    return 0 if made_before and not found else 1


sys.exit(main())
