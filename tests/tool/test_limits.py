#!/usr/bin/env python3
# test_limits.py - time limits beside other work, and what is said when one strikes
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import contextlib
import io
import os
import shutil
import subprocess
import sys
import time
import unittest
import unittest.mock

import support
from nanogomp_lib import demo, library, patience

ROOT = os.path.dirname(support.TOOLS)
LIMITED = os.path.join(ROOT, "tests", "lit", "support", "run-limited")
SPIN = "import time\nwhile time.process_time() < %g: pass"
BUSY = 5               # programs that compete for the one CPU


class SameResult(support.ToolTest):
    """tests/kernels/same-result, over scripts in place of kernels."""

    def status(self, script):
        kernel = self.write("kernel", "#!/bin/sh\n" + script)
        return subprocess.run([os.path.join(ROOT, "tests", "kernels", "same-result"), self.lib,
                               kernel], stdout=subprocess.DEVNULL).returncode

    def test_lines(self):
        self.assertEqual(self.status("echo config a; echo KERNEL a seconds=$$ result=1"), 0)
        self.assertEqual(self.status("echo KERNEL a result=$$"), 1)
        self.assertEqual(self.status("exit 3"), 3)
        self.assertEqual(self.status(":"), 1)
        self.assertEqual(self.status("echo config KERNEL"), 1)


class RunLimited(support.ToolTest):
    def limited(self, *words):
        """The runner and all that it starts on one CPU."""
        one = {min(os.sched_getaffinity(0))}
        return subprocess.run([sys.executable, "-I", "-S", LIMITED] + list(words),
                              preexec_fn=lambda: os.sched_setaffinity(0, one),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True, timeout=support.TIMEOUT_SECONDS)

    @contextlib.contextmanager
    def busy(self):
        one = {min(os.sched_getaffinity(0))}
        others = [subprocess.Popen([sys.executable, "-I", "-S", "-c", SPIN % 1e9],
                                   preexec_fn=lambda: os.sched_setaffinity(0, one))
                  for _ in range(BUSY)]
        try:
            yield
        finally:
            for other in others:
                other.kill()
                other.wait()

    def spin(self, seconds):
        return [sys.executable, "-I", "-S", "-c", SPIN % seconds]

    def test_starved_program_gets_its_time(self):
        with self.busy():
            began = time.monotonic()
            done = self.limited("--seconds", "4", "--stacks", "no", *self.spin(1))
            took = time.monotonic() - began
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(took, 4)

    def test_hang_is_no_busy_machine(self):
        """A group that sleeps gets no more time, whatever the machine does."""
        with self.busy():
            began = time.monotonic()
            done = self.limited("--seconds", "4", "--whose", "this test", "--stacks", "no",
                                "sleep", "1000")
            took = time.monotonic() - began
        self.assertEqual(done.returncode, 124)
        self.assertIn("sleep still runs: the limit of this test, 4 s, has struck", done.stderr)
        self.assertLess(took, 25)

    def test_hard_bound(self):
        with self.busy():
            done = self.limited("--seconds", "1", "--stacks", "no", *self.spin(1000))
        self.assertEqual(done.returncode, 124)
        self.assertRegex(done.stderr, r"has struck.* \(by the clock \d+ s, in which it was given "
                                      r"\d+ s of CPU time\)")

    def test_processes_of_other_groups_count(self):
        """lit and gcc-suite start their programs in groups of their own."""
        child = subprocess.Popen(["sh", "-c", "setsid sleep 100; :"], start_new_session=True)
        try:
            end = time.monotonic() + 60
            while len(patience.processes(child.pid)) < 2 and time.monotonic() < end:
                time.sleep(0.05)
            self.assertEqual(len(patience.processes(child.pid)), 2)
        finally:
            for process in reversed(patience.processes(child.pid)):
                os.kill(process, 9)
            child.wait()

    def test_skipped(self):
        done = self.limited("sh", "-c", "exit 77")
        self.assertEqual((done.returncode, done.stderr), (77, ""))

    def test_share(self):
        """Sixteen busy threads on two quiet CPUs wait for each other, not for a busy machine."""
        for threads, run, ready, share in ((16, 0.125, 0.875, 1), (1, 1, 0, 1), (1, 0.1, 0.9, 0.1),
                                           (4, 0.05, 0.95, 0.1), (1, 0, 0, 1), (2, 0, 1, 0.02)):
            one = patience.Patience(60, 0)
            rows = {(1, n): (run, ready) for n in range(threads)}
            with unittest.mock.patch.multiple(patience, threads_of=lambda _, rows=rows: rows,
                                              machine=lambda: (0, 0)), \
                    unittest.mock.patch("os.sched_getaffinity", return_value={0, 1}):
                one.machine = 0, 0
                self.assertAlmostEqual(one.share(1.0), share)

    def test_thread_that_ends_during_a_look(self):
        """The other threads of its process are looked at all the same."""
        def opened(path, *_):
            if "/2/" in path:
                raise FileNotFoundError(path)
            return io.StringIO("1000000000 2000000000 5")
        with unittest.mock.patch.object(patience, "processes", lambda _: [7, 8]), \
                unittest.mock.patch.object(patience.os, "listdir", lambda _: ["1", "2", "3"]), \
                unittest.mock.patch.object(patience, "open", opened, create=True):
            self.assertEqual(patience.threads_of(7), {
                (process, thread): (1.0, 2.0) for process in (7, 8) for thread in ("1", "3")})


class Lit(support.ToolTest):
    @unittest.skipUnless(shutil.which("lit"), "no lit in PATH")
    def test_reason_of_a_failure(self):
        """A failing test's output is in what ctest shows; passing ones add nothing."""
        with open(os.path.join(ROOT, "tests", "lit", "CMakeLists.txt")) as file:
            flags = [word for line in file if "COMMAND ${NTH_LIT}" in line
                     for word in line.split() if word.startswith("-")]
        suite = os.path.join(self.folder, "suite")
        self.write("suite/lit.cfg.py", "import lit.formats\nconfig.name = 'x'\nconfig.suffixes = "
                   "['.test']\nconfig.test_format = lit.formats.ShTest()\n")
        self.write("suite/bad.test", "# RUN: echo the very reason >&2 && false\n")
        self.write("suite/good.test", "# RUN: echo nothing of interest\n")
        said = subprocess.run(["lit"] + flags + [suite], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT).stdout.decode()
        self.assertIn("the very reason", said)
        self.assertNotIn("nothing of interest", said)


class Demo(support.ToolTest):
    """A program that runs out of time says so; nobody's output is called different."""

    def report(self, program):
        said, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(errors):
            good = demo.report([program], library.Library(self.lib))
        return good, said.getvalue(), errors.getvalue()

    def test_reference_out_of_time(self):
        program = demo.Program("sleepy", [shutil.which("sleep"), "1000"])
        with unittest.mock.patch.object(demo, "LIMIT_SECONDS", 1):
            demo.run_once(program, demo.SYSTEM, library.Library(self.lib), self.folder,
                          lambda which, passed: None)
        good, said, errors = self.report(program)
        self.assertFalse(good)
        self.assertIn("not known", said)
        self.assertNotRegex(said, r"(?m)^sleepy .*\bNO +\w+$")
        self.assertRegex(errors, "sleepy on libgomp, the reference, ran out of time: the limit of "
                                 "the demo, 1 s, has struck")
        self.assertNotIn("exit status", errors)

    def test_less_work_on_a_busy_machine(self):
        with contextlib.redirect_stdout(io.StringIO()) as said, \
                unittest.mock.patch.object(demo, "seconds_of", return_value=4.0):
            self.assertEqual(demo.fitting("/x/cg", "--iters", 100, self.folder), 25)
        self.assertIn("demo: the machine is busy: cg gets 25 in place of 100", said.getvalue())
        with unittest.mock.patch.object(demo, "seconds_of", return_value=0.1):
            self.assertEqual(demo.fitting("/x/cg", "--iters", 100, self.folder), 100)


if __name__ == "__main__":
    unittest.main()
