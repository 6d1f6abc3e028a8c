# gdb_support.py - what the tests of tools/gdb share: gdb with our commands
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import platform
import shutil
import subprocess
import unittest

import support

SCRIPT = os.path.join(support.TOOLS, "gdb", "nanogomp.py")


@unittest.skipUnless(shutil.which("gdb"), "gdb is not here")
@unittest.skipUnless(os.environ.get("NTH_TEST_LIB"), "a build without its own library for programs")
@unittest.skipUnless(platform.machine() == "x86_64", "the commands know x86-64")
class GdbTest(support.ToolTest):
    def gdb(self, *words, library=None, prepare=None, **environment):
        """What gdb prints, standard output and error. prepare: called in gdb's process first."""
        clean = {k: v for k, v in os.environ.items()
                 if not k.startswith(("OMP_", "GOMP_", "NTH_"))}
        clean.update(environment, LD_LIBRARY_PATH=library or self.lib, DEBUGINFOD_URLS="")
        command = ["gdb", "-nx", "-batch", "-ex", "set pagination off", "-ex", "set width 0",
                   "-x", SCRIPT]
        done = subprocess.run(command + list(words), env=clean, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              universal_newlines=True, timeout=support.TIMEOUT_SECONDS,
                              preexec_fn=prepare)
        if "Operation not permitted" in done.stdout:
            self.skipTest("no process may be traced here")
        return done.stdout
