#!/usr/bin/env python3
# test_secure.py - a program that has another user's rights obeys nobody's variables
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import pwd
import shutil
import subprocess
import sys
import unittest

import support

PROGRAM = r"""
#include <sys/auxv.h>
int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum++;
  return getauxval(AT_SECURE) && sum == 2 ? 0 : 9;
}
"""
TOOL = r"""
#include <unistd.h>
__attribute__((constructor)) static void loaded(void) { (void)!write(2, "loaded\n", 7); }
"""


@unittest.skipUnless(os.geteuid() == 0, "needs root")
class Secure(support.ToolTest):
    """The program is nobody's, with the set-user-ID bit. LD_LIBRARY_PATH is not for such ones, so
    it has a path to the library itself."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if "NTH_TEST_LIB" not in os.environ:
            raise unittest.SkipTest("needs the library")
        os.chmod(cls.folder, 0o755)
        if os.statvfs(cls.folder).f_flag & os.ST_NOSUID:
            raise unittest.SkipTest("no program has another user's rights here")
        shutil.copy(cls.library, os.path.join(cls.folder, "libgomp.so.1"))
        cls.program = cls.compile("other", PROGRAM, "-fopenmp", "-Wl,-rpath," + cls.folder)
        cls.other = cls.compile("tool.so", TOOL, "-shared", "-fPIC")
        os.chown(cls.program, pwd.getpwnam("nobody").pw_uid, -1)
        os.chmod(cls.program, 0o4755)

    def test_no_variable_counts(self):
        log = os.path.join(self.folder, "log")
        os.chmod(self.folder, 0o777)
        for name, value in (("OMP_TOOL_LIBRARIES", self.other), ("OMP_TOOL_VERBOSE_INIT", log),
                            ("OMP_TOOL", "wrong"), ("OMP_DEBUG", "wrong"), ("NTH_STALL", "wrong"),
                            ("NTH_STALL_SIGNAL", "wrong"), ("NTH_STRUCTURES", log),
                            ("NTH_SHARE", "/no/where"), ("NTH_VERBOSE", "2"),
                            ("NTH_MEMBERS", "wrong"), ("ACC_PROFLIB", self.other)):
            done = subprocess.run([self.program], env={name: value}, check=False, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual((done.returncode, done.stdout), (0, ""), name)
            self.assertFalse(os.path.exists(log), name)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
