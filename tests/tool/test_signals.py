#!/usr/bin/env python3
# test_signals.py - a command that is told to end while its program runs, or afterwards
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program hears the signal, what it has done until then is reported, and nobody is left."""
import glob
import os
import signal
import subprocess
import sys
import time
import unittest

import support

# Says its number after some regions, and sleeps.
SLEEPS = r"""
#include <stdio.h>
#include <unistd.h>
int main(void) {
  for (int i = 0; i < 5; i++) {
#pragma omp parallel num_threads(2)
    for (volatile int k = 0; k < 1000; k++) {}
  }
  fprintf(stderr, "runs %d\n", (int)getpid());
  sleep(1000);
  return 0;
}
"""
SETTINGS = {"profile": ("--papi", "none"), "trace": ("--to", "json"), "run": ("--explain",),
            "predict": (), "lines": ()}
# what the command says of the time until then; predict needs a whole record
REPORTS = {"profile": "explained", "trace": "wrote ", "run": "explain: .* s, of which",
           "predict": "^", "lines": "SIMULATED: "}


@unittest.skipUnless(os.environ.get("NTH_TEST_LIB"), "a build without its own library")
class Signals(support.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.compile("sleeps", SLEEPS, "-fopenmp", "-g")

    def ended(self, command, number):
        """(status, output) of a command that is sent a signal when its program sleeps. The program
        is gone then, and no temporary file is left."""
        temporary = os.path.join(self.folder, "tmp")
        os.makedirs(temporary, exist_ok=True)
        env = {**os.environ, "NTH_LIB_DIR": self.lib, "TMPDIR": temporary}
        words = [sys.executable, support.TOOL, command, *SETTINGS[command], "--", self.program]
        with subprocess.Popen(words, env=env, cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            line = process.stderr.readline()
            while line and not line.startswith("runs "):
                line = process.stderr.readline()
            pid = int(line.split()[1])
            process.send_signal(number)
            out, err = process.communicate(timeout=support.TIMEOUT_SECONDS)
        self.assertNotIn("Traceback", err)
        for _ in range(100):  # the program's orphan would sleep on
            if not os.path.exists("/proc/%d" % pid):
                break
            time.sleep(0.1)
        self.assertFalse(os.path.exists("/proc/%d" % pid), (command, err))
        self.assertEqual(glob.glob(os.path.join(temporary, "nanogomp-*")), [], command)
        return process.returncode, out + err

    def test_program_is_told(self):
        for command, report in REPORTS.items():
            more = (signal.SIGALRM, signal.SIGXCPU) if command == "profile" else ()
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, *more):
                if command == "lines" and number != signal.SIGTERM:
                    continue  # valgrind takes long
                status, said = self.ended(command, number)
                self.assertIn(status, (128 + number, -number), (command, said))
                self.assertRegex(said, report, command)

    def test_trace_is_not_yet_written(self):
        """The raw trace stays, which a line says. The page is a pipe without a reader, so that
        writing it does not end."""
        program = self.compile("ends", SLEEPS.replace("sleep(1000)", "0"), "-fopenmp")
        for number in (signal.SIGTERM, signal.SIGINT):
            base = os.path.join(self.folder, "pipe%d" % number)
            os.mkfifo(base + ".json")
            words = [sys.executable, support.TOOL, "trace", "--lib", self.lib, "--to", "json",
                     "-o", base, "--", program]
            with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
                pid = process.stderr.readline().split()[1]
                while os.path.exists("/proc/" + pid):
                    time.sleep(0.1)
                time.sleep(0.5)
                process.send_signal(number)
                _, said = process.communicate(timeout=support.TIMEOUT_SECONDS)
            self.assertEqual(process.returncode, 128 + number, said)
            self.assertIn("later: nanogomp trace --convert %s.trace\n" % base, said)
            self.assertTrue(glob.glob(base + ".trace/*.trace"))
            os.unlink(base + ".json")
            done = self.tool("trace", "--to", "json", "--convert", base + ".trace")
            self.assertEqual((done.returncode, os.path.exists(base + ".json")), (0, True), done)


if __name__ == "__main__":
    unittest.main()
