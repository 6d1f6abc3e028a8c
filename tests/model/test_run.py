#!/usr/bin/env python3
# test_run.py - what run.py says of a model that does not link
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: test_run.py CC"""

import pathlib
import sys
import tempfile
import unittest

import run

CC = "cc"


class Links(unittest.TestCase):
    def link(self, text):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            source, target = folder / "part.c", folder / "part.o"
            source.write_text(text)
            self.assertEqual(run.call([CC, "-fPIC", "-c", source, "-o", target]).returncode, 0)
            return run.Harnesses(CC, folder).link("part", [target], folder).name

    def test_complete(self):
        self.assertEqual(self.link("int part(void) { return 0; }"), "part.so")

    def test_missing_stubs_are_named(self):
        with self.assertRaises(run.Failure) as failed:
            self.link("int nth_one(void), nth_two(void);\n"
                      "int part(void) { return nth_two() + nth_one() + nth_one(); }")
        self.assertIn("part does not link; no stub of nth_one, nth_two\n", str(failed.exception))


if __name__ == "__main__":
    CC = sys.argv.pop() if len(sys.argv) > 1 else CC
    unittest.main()
