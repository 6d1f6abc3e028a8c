#!/usr/bin/env python3
# test_rebuilt.py - kept profiles and traces of a program that was built again since
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import glob
import json
import os
import shutil
import subprocess
import sys
import unittest

import profile_support
import support

from nanogomp_lib import identity  # noqa: E402  (support has set the path)

PROGRAM = r"""
int main(void) {
#pragma omp parallel num_threads(2)
  for (volatile int i = 0; i < 1000; i++)
    ;
  return 0;
}
"""
MORE = "static int more(int a) {\n  return a + 1;\n}\nint (*used)(int) = more;\n"
LINE = r"^nanogomp %s: %s: changed since the run; places in it are addresses\n$"
PLAIN = ("-fopenmp", "-g", "-O1")
WITHOUT_ID = (*PLAIN, "-Wl,--build-id=none")


class Rebuilt(profile_support.ProfileTest):
    def places(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)
        docs = json.loads(done.stdout)["processes"]
        return [row["where"] for row in profile_support.all_rows(docs[0]["regions"])]

    def check_profile(self, name, *flags):
        program, kept = self.compile(name, PROGRAM, *flags), os.path.join(self.folder, name + ".k")
        self.profile("--papi", "none", "--keep", kept, "--", program)
        read = self.profile("--json", "-", "--read", kept)
        self.assertEqual((self.places(read), read.stderr), (["main (%s.c:3)" % name], ""))
        os.utime(program)
        self.assertEqual(self.profile("--json", "-", "--read", kept).stderr, "")
        self.compile(name, MORE + PROGRAM, *flags)
        read = self.profile("--json", "-", "--read", kept)
        self.assertRegex(read.stderr, LINE % ("profile", program))
        self.assertRegex(" ".join(self.places(read)), r"^%s\+0x[0-9a-f]+$" % name)
        return program, kept

    def test_profile(self):
        program, kept = self.check_profile("prog", *PLAIN)
        self.profile("--papi", "none", "--keep", kept, "--", program)  # a second file in the folder
        read = self.profile("--read", kept)
        self.assertIn(" main (prog.c:7)", read.stdout)
        self.assertRegex(read.stderr, LINE % ("profile", program))

    def test_profile_without_build_id(self):
        self.check_profile("noid", *WITHOUT_ID)

    def test_profile_that_was_not_noted(self):
        program, kept = self.compile("hand", PROGRAM, *PLAIN), os.path.join(self.folder, "hand.k")
        self.profile("--papi", "none", "--keep", kept, "--", program)
        for path in glob.glob(kept + "/*.ids"):
            os.unlink(path)
        read = self.profile("--json", "-", "--read", kept)
        self.assertEqual((self.places(read), read.stderr), (["main (hand.c:3)"], ""))

    def test_trace(self):
        program, base = self.compile("traced", PROGRAM, *PLAIN), os.path.join(self.folder, "run")
        trace = ("trace", "--lib", self.lib, "-o", base, "--to")
        self.tool(*trace, "raw", "--", program)
        convert = (*trace, "json", "--convert", base + ".trace")
        done = self.tool(*convert)
        self.assertNotIn("changed", done.stderr)
        self.assertIn("main (traced.c:3)", self.read(base + ".json"))
        self.compile("traced", MORE + PROGRAM, *PLAIN)
        first = self.tool(*convert).stderr.splitlines(True)[0]
        self.assertRegex(first, LINE % ("trace", program))
        self.assertNotIn("traced.c:", self.read(base + ".json"))
        self.tool(*trace, "raw", "--", program)  # in place of the one before
        self.assertEqual(len(glob.glob(base + ".trace/*")), 2)
        self.tool(*trace, "json", "--", program)
        self.assertIn("main (traced.c:7)", self.read(base + ".json"))

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            return file.read()


class Identities(support.ToolTest):
    def test_stripped_copy_is_the_same_program(self):
        program = self.compile("whole", PROGRAM, *PLAIN)
        strip = shutil.which("strip")
        if not strip:
            self.skipTest("no strip")
        name = identity.identity(program)
        subprocess.run([strip, program], check=True)
        self.assertEqual(identity.identity(program), name)
        self.assertRegex(name, "^id:[0-9a-f]+$")

    def test_other_files(self):
        path = self.write("text", "12345")
        self.assertRegex(identity.identity(path), "^sum:5:[0-9a-f]{8}$")
        self.assertIsNone(identity.identity("/nothing/here"))

    def test_text(self):
        self.assertRegex(identity.text_of({"/b", "/a", "/c"}), "^/a and 2 more: changed since ")


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
