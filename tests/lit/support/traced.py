# traced.py - a program under strace, for tests of its system calls
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import shutil
import subprocess
import sys
import tempfile


def lines_of(options, command, library):
    """The lines that strace writes of a command on the library, with its threads. None: there is no
    strace, or it may not trace, which is printed. Ends the test if the command fails."""
    if not shutil.which("strace"):
        print("no strace: not checked")
        return None
    with tempfile.NamedTemporaryFile("r") as log:
        environment = dict(os.environ, LD_LIBRARY_PATH=os.path.dirname(library),
                           ASAN_OPTIONS="detect_leaks=0")  # which would trace, too
        done = subprocess.run(["strace", "-f", *options, "-o", log.name, *command], env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True, timeout=300)
        lines = log.read().splitlines()
    if done.returncode != 0:
        if "ptrace" in done.stderr or "Operation not permitted" in done.stderr:
            print("strace cannot trace here: not checked")
            return None
        sys.exit("status %d\n%s" % (done.returncode, done.stderr))
    return lines
