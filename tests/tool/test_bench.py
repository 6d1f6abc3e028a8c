#!/usr/bin/env python3
# test_bench.py - `nanogomp bench` ends in order: no child stays behind a signal; what is refused
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import importlib.util
import os
import signal
import subprocess
import sys
import time
import unittest

import support

BUILD = os.environ.get("NTH_TEST_BUILD")
WAIT_SECONDS = 100


def waits_for(condition):
    end = time.monotonic() + WAIT_SECONDS
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


class Refused(support.ToolTest):
    """One line before anything runs."""

    def refused(self, said, *arguments):
        done = self.tool("bench", *arguments, "--bench-dir", "/no/such/folder")
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertRegex(done.stderr, r"\Ananogomp bench: %s[^\n]*\n\Z" % said)

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "no matplotlib here")
    def test_kind_of_picture(self):
        path = os.path.join(self.folder, "x.xyz")
        self.refused(path + ": want one of .eps, ", "--plot", path)
        png = os.path.join(self.folder, "x.PNG")
        self.refused("no benchmark programs found in /no/such", "--plot", png)
        self.assertFalse(os.path.exists(path))

    def test_costs(self):
        costs = self.write("costs", "no_such 1\n", 0o644)
        self.refused(costs + ": no cost 'no_such'", "predict", "--write", "--costs", costs, "--out",
                     os.path.join(self.folder, "out"))


@unittest.skipUnless(BUILD and os.environ.get("NTH_TEST_LIB"), "no build folder (NTH_TEST_BUILD)")
class Ended(support.ToolTest):
    def start(self, *arguments):
        """The tool measures a program that sleeps, in a folder of its own for temporary files."""
        self.scratch = os.path.join(self.folder, self.id())
        os.makedirs(self.scratch)
        self.mark = os.path.join(self.folder, self.id() + ".pid")
        script = "echo $$ >%s.part; mv %s.part %s; sleep 1000" % ((self.mark,) * 3)
        child = subprocess.Popen(
            [sys.executable, support.TOOL, "bench", "programs", "--bench-dir",
             os.path.join(BUILD, "bench"), "--runtimes", "nanogomp=" + self.library, *arguments,
             "--", "/bin/sh", "-c", script],
            env=dict(os.environ, TMPDIR=self.scratch), stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        self.addCleanup(child.communicate)
        self.addCleanup(child.kill)
        self.assertTrue(waits_for(lambda: os.path.exists(self.mark) or child.poll() is not None))
        self.assertIsNone(child.poll())
        with open(self.mark) as file:
            self.program = int(file.read())
        self.assertNotEqual(os.listdir(self.scratch), [])
        return child

    def gone(self):
        """Whether the measured program has ended: no such process, or a dead one."""
        try:
            with open("/proc/%d/stat" % self.program) as stat:
                return stat.read().rpartition(")")[2].split()[0] == "Z"
        except OSError:
            return True

    def end(self, number, status):
        child = self.start()
        child.send_signal(number)
        _, said = child.communicate(timeout=WAIT_SECONDS)
        self.assertEqual(child.returncode, status, said)
        self.assertNotIn(b"Traceback", said)
        self.assertTrue(waits_for(self.gone))
        self.assertEqual(os.listdir(self.scratch), [])

    def test_terminated(self):
        self.end(signal.SIGTERM, 143)

    def test_interrupted(self):
        """It shows what it has, which is not all that was asked for."""
        self.end(signal.SIGINT, 130)


if __name__ == "__main__":
    unittest.main()
