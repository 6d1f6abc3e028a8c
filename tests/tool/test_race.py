#!/usr/bin/env python3
# test_race.py - `nanogomp run --race` runs programs under the thread sanitizer, tells their races
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import re
import signal
import subprocess
import tempfile
import unittest

import support
from nanogomp_lib import race

# argv[1]: "race", or what else it does
PROGRAM = r"""
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int total, turn;
int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  int *cells = malloc(40 * sizeof *cells);
#pragma omp parallel num_threads(2)
  if (strcmp(what, "race") == 0) {
    int mine = __atomic_fetch_add(&turn, 1, __ATOMIC_RELAXED);
    while (__atomic_load_n(&turn, __ATOMIC_RELAXED) < 2 + mine)
      sched_yield();
    total++; /* the line of the race */
    __atomic_fetch_add(&turn, 1, __ATOMIC_RELAXED);
  } else {
#pragma omp critical
    total++;
  }
  puts(getenv("TSAN_OPTIONS") ? getenv("TSAN_OPTIONS") : "no options");
  fflush(stdout);
  if (strcmp(what, "kill") == 0)
    raise(SIGKILL);
  free(cells);
  return strcmp(what, "seven") == 0 ? 7 : 0;
}
"""
LINE = 1 + PROGRAM[:PROGRAM.index("the line of the race")].count("\n")

# As gcc's sanitizer writes it.
REPORT = """==================
WARNING: ThreadSanitizer: data race (pid=7)
  Read of size 4 at 0x7b28 by thread T1:
    #0 memcpy ../../interceptors.inc:827 (libtsan.so.2+0x5e)
    #1 main._omp_fn.0 /home/me/sum.c:9 (sum+0x122a)
    #2 body /src/told_region.c:74 (libgomp.so.1+0x3e096)

  Previous atomic write of size 1 at 0x7b28 by main thread:
    #0 Type::name(int) /home/me/sum.c:12:3 (sum+0x1239)

  Location is heap block of size 160 at 0x7b2800000000 allocated by main thread:
    #0 malloc ../../interceptors.cpp:647 (libtsan.so.2+0x3ebb8)
    #1 main /home/me/sum.c:5 (sum+0x1284)

  Thread T1 (tid=30918, running) created by main thread at:
    #0 pthread_create ../../posix.cpp:1001 (libtsan.so.2+0x5e686)

SUMMARY: ThreadSanitizer: data race /home/me/sum.c:9 in main._omp_fn.0
==================
"""


class Reports(unittest.TestCase):
    def test_a_race(self):
        races = race.races_of([REPORT, REPORT + "ThreadSanitizer: reported 2 warnings\n"])
        self.assertEqual(len(races), 1)
        self.assertEqual(races[0].lines(1), [
            "1. read of 4 bytes by thread T1: /home/me/sum.c:9 (main._omp_fn.0)",
            "   against an atomic write of 1 byte by main thread: /home/me/sum.c:12:3 "
            "(Type::name(int))",
            "   it is in heap block of size 160 allocated by main thread, /home/me/sum.c:5 (main)",
            "   seen 2 times"])

    def test_both_orders_are_one_race(self):
        other = REPORT.replace("sum.c:9", "X").replace("sum.c:12:3", "sum.c:9").replace(
            "X", "sum.c:12:3").replace("Read of size 4", "Atomic write of size 1").replace(
                "Previous atomic write of size 1", "Previous read of size 4").replace(
                    "main._omp_fn.0", "Y").replace("Type::name(int)", "main._omp_fn.0").replace(
                        "Y", "Type::name(int)")
        self.assertEqual(len(race.races_of([REPORT, other])), 1)

    def test_without_lines(self):
        text = re.sub(r"/home/me/sum.c:\d+(:\d)?", "<null>", REPORT)
        self.assertIn("compile with -g", "\n".join(race.races_of([text])[0].lines(1)))

    def test_other_reports_are_shown(self):
        text = "==================\nWARNING: ThreadSanitizer: thread leak (pid=1)\n  Thread T1\n"
        found = race.races_of([text, REPORT])
        self.assertEqual([r.is_plain for r in found], [False, True])
        self.assertEqual(found[0].lines(1), ["1. WARNING: ThreadSanitizer: thread leak (pid=1)",
                                             "  Thread T1"])

    def test_options_of_the_user_win(self):
        made = race.options_of({"TSAN_OPTIONS": "exitcode=5"}, "/x/report")
        self.assertTrue(made.endswith('log_path="/x/report" exitcode=5'))


class Runs(support.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.plain = cls.compile("plain", PROGRAM, "-fopenmp", "-g")
        cls.works = False
        try:
            cls.checked = cls.compile("checked", PROGRAM, "-fopenmp", "-g", "-fsanitize=thread")
            sanitizer = cls.compile("works", "int main(void) { return 7; }", "-fsanitize=thread")
            cls.works = subprocess.run([sanitizer], check=False).returncode == 7
        except AssertionError:
            pass

    def start(self, *words):
        """A run of the checked program."""
        return self.nanogomp_run("--race", self.checked, *words)

    def setUp(self):
        if "without" not in self.id() and not self.works:
            self.skipTest("the thread sanitizer does not work here")

    def need_library(self):
        """The stand-in tells the sanitizer nothing."""
        with open(self.library, "rb") as file:
            if b"nth_report\0" not in file.read():
                self.skipTest("needs our library")

    def test_without_the_sanitizer_it_runs(self):
        done = self.nanogomp_run("--race", self.plain, "seven")
        self.assertEqual((done.returncode, done.stdout), (7, "no options\n"))
        self.assertIn("plain is not compiled with the thread sanitizer", done.stderr)
        self.assertIn("gcc -g -O1 -fsanitize=thread -fopenmp", done.stderr)

    def test_without_the_program(self):
        self.assertEqual(self.nanogomp_run("--race", "/no/such").returncode, 127)

    def test_a_race_has_its_line(self):
        done = self.start("race")
        self.assertEqual(done.returncode, 66)
        self.assertIn("race: 1 race in this run", done.stderr)
        self.assertEqual(done.stderr.count("checked.c:%d (main._omp_fn.0)" % LINE), 2)
        self.assertIn("it is in global 'total'", done.stderr)
        self.assertNotIn("WARNING", done.stderr)

    def test_in_a_removed_folder(self):
        done = self.nanogomp_run("--race", self.checked, "race", prepare=support.in_removed_folder)
        self.assertEqual(done.returncode, 66, done.stderr)
        self.assertIn("race: 1 race in this run", done.stderr)

    def test_a_program_that_another_one_starts(self):
        done = self.nanogomp_run("--race", "env", "A=1", self.checked, "race")
        self.assertIn("race: 1 race in this run", done.stderr)

    def test_options_of_the_run(self):
        done = self.start()
        self.assertIn("ignore_noninstrumented_modules=1", done.stdout)

    def test_verbose_shows_the_reports(self):
        done = self.nanogomp_run("--race", "-v", self.checked, "race")
        self.assertIn("WARNING: ThreadSanitizer: data race", done.stderr)

    def test_no_race(self):
        self.need_library()
        done = self.start("seven")
        self.assertEqual(done.returncode, 7)
        self.assertEqual(done.stderr, "nanogomp: race: no race was seen in this run\n")

    def test_a_signal_ends_both(self):
        self.need_library()
        done = self.start("kill")
        self.assertEqual(done.returncode, -signal.SIGKILL)
        self.assertIn("race: signal 9 ended the program, and there is no report", done.stderr)

    def test_names_of_folders(self):
        """Those that end an option's value in TSAN_OPTIONS."""
        for name in ("a b", "a,b", "a:b", "a'b", 'a"b', 'a"b\'c'):
            folder = os.path.join(self.folder, name)
            os.mkdir(folder)
            done = self.nanogomp_run("--race", self.checked, "race", env={"TMPDIR": folder})
            self.assertIn("race: 1 race in this run", done.stderr, name)

    def test_no_folder(self):
        program = "ulimit -S -f $(ulimit -H -f); exec %s race" % self.checked
        done = self.nanogomp_run("--race", "sh", "-c", program, prepare=support.no_files)
        self.assertEqual(done.returncode, 66, done.stderr)
        self.assertIn("race: no folder for the sanitizer's reports, which are on standard error",
                      done.stderr)
        self.assertIn("WARNING: ThreadSanitizer: data race", done.stderr)

    def test_sanitizer_that_gives_up(self):
        done = self.nanogomp_run("--race", self.checked, env={"TSAN_OPTIONS": "nonsense"})
        self.assertEqual((done.returncode, done.stdout), (66, ""))
        self.assertNotIn("no race was seen", done.stderr)
        self.assertIn("race: the program ended with status 66, and there is no report: the "
                      "sanitizer has not run", done.stderr)

    @unittest.skipUnless(os.environ.get("NTH_TEST_LIB"),
                         "a build without its own library for programs")
    def test_nothing_is_left(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.nanogomp_run("--race", self.checked, env={"TMPDIR": folder})
            self.assertEqual((done.returncode, os.listdir(folder)), (0, []))

    def test_log_path_of_the_user(self):
        log = os.path.join(self.folder, "mine")
        done = self.nanogomp_run("--race", self.checked, "race",
                                 env={"TSAN_OPTIONS": "log_path=" + log})
        self.assertIn("log_path of TSAN_OPTIONS", done.stderr)
        self.assertTrue([name for name in os.listdir(self.folder) if name.startswith("mine.")])

    def test_static_sanitizer_is_warned_of(self):
        try:
            static = self.compile("static", PROGRAM, "-fopenmp", "-fsanitize=thread",
                                  "-static-libtsan")
        except AssertionError:
            self.skipTest("no static sanitizer")
        done = self.nanogomp_run("--race", static)
        self.assertIn("-static-libtsan", done.stderr)


if __name__ == "__main__":
    unittest.main()
