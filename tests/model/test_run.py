#!/usr/bin/env python3
# test_run.py - what run.py says of a model that does not link, or does not end
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: test_run.py CC"""

import contextlib
import io
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


class Limit(unittest.TestCase):
    def test_ends_in_time(self):
        self.assertEqual(run.execute("sh", "-c", 60, ["echo said; exit 3"]), (3, "said\n"))

    def test_late(self):
        with self.assertRaises(run.Failure) as failed:
            run.execute("sh", "-c", 1, ["echo said; exec sleep 1000"])
        self.assertRegex(str(failed.exception), "^-c: the limit of run.py, 1 s, .*\nsaid\n$")


class Cases(unittest.TestCase):
    """A driver whose harness is a shell script: it prints a line of each case that it runs."""

    def failures(self, *scripts):
        class Scripts:
            model = staticmethod(lambda script: script)

        with tempfile.TemporaryDirectory() as folder:
            driver = pathlib.Path(folder) / "driver"
            driver.write_text('#!/bin/sh\neval "$1"\n')
            driver.chmod(0o755)
            work = [lambda s=script: run.check_model(Scripts, driver, s, []) for script in scripts]
            with contextlib.redirect_stdout(io.StringIO()):
                return run.run_all(2, work)

    def test_unknown(self):
        self.assertEqual(self.failures(":"), [run.NO_CASE])
        self.assertEqual(self.failures(":", "echo one: 3 executions"), [])
        self.assertEqual(len(self.failures(":", "echo FAILED; exit 1")), 1)


if __name__ == "__main__":
    CC = sys.argv.pop() if len(sys.argv) > 1 else CC
    unittest.main()
