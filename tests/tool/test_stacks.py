#!/usr/bin/env python3
# test_stacks.py - `nanogomp stacks` names circles of waits in a program that hangs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

import support

from nanogomp_lib import stacks  # noqa: E402  (support has set the path)

# Hangs in the way that its argument says, when the last member has come there.
PROGRAM = r"""
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static omp_lock_t a, b;
static volatile int there;
static void last_words(void) { alarm(600); write(1, "there\n", 6); }
static void barrier(int me) {
  if (me == 0)
    omp_set_lock(&a);
#pragma omp barrier
  if (me == 1) {
    last_words();
    omp_set_lock(&a); /* LOCK */
  }
#pragma omp barrier
}
static void locks(int me) {
  omp_set_lock(me ? &b : &a);
#pragma omp barrier
  if (me == 0)
    last_words();
  omp_set_lock(me ? &a : &b); /* LOCKS */
}
static void tasks(int me) {
#pragma omp single
  {
    omp_set_lock(&a);
#pragma omp task
    {
      there = 1;
      last_words();
      omp_set_lock(&a); /* TASK */
    }
    while (!there)
      usleep(1000);
#pragma omp taskwait
  }
}
static void late(int me) {
  if (me == 0) {
    last_words();
    while (1)
      sleep(1); /* LATE */
  }
#pragma omp barrier
}
static void own(int me) {
  if (me == 0) {
    omp_set_lock(&a);
    last_words();
    omp_set_lock(&a); /* OWN */
  }
}
static void nested(int me) {
#pragma omp parallel num_threads(2)
  {
    if (me == 1 && omp_get_thread_num() == 1)
      late(0);
#pragma omp barrier
  }
}
static void goes(int me) { /* no hang */
  if (me == 0)
    last_words();
  while (1) {
#pragma omp barrier
    usleep(me * 10);
#pragma omp barrier
  }
}
static void end(int me) {
  if (me == 1) {
    last_words();
    pause();
  }
}
static void ordered(int me) { /* the third iteration is left out: its member asks for more */
#pragma omp for ordered schedule(static, 1) nowait
  for (int i = 0; i < 3; i++) {
    if (i == 0)
      late(0);
    if (i == 1)
#pragma omp ordered
      there = i; /* ORDERED */
  }
  while (1)
    sleep(1);
}
static void apart(int me) {
  if (me == 0) {
    last_words();
    pause();
  }
  if (me % 2) {
#pragma omp barrier
  } else {
#pragma omp barrier
  }
}
int main(int argc, char **argv) {
  omp_set_max_active_levels(2);
  omp_init_lock(&a);
  omp_init_lock(&b);
  void (*how)(int) = !strcmp(argv[1], "barrier") ? barrier : !strcmp(argv[1], "locks") ? locks :
                     !strcmp(argv[1], "tasks") ? tasks : !strcmp(argv[1], "own") ? own :
                     !strcmp(argv[1], "nested") ? nested : !strcmp(argv[1], "goes") ? goes :
                     !strcmp(argv[1], "apart") ? apart : !strcmp(argv[1], "end") ? end :
                     !strcmp(argv[1], "ordered") ? ordered : late;
#pragma omp parallel num_threads(getenv("HANG_SIZE") ? atoi(getenv("HANG_SIZE")) : 2)
  how(omp_get_thread_num());
  return 0;
}
"""
# Hangs in the region that its argument says: its second member does not come to the end.
REGIONS = r"""
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>
static int which;
static volatile int n;
static __attribute__((noinline)) void touch(int i) { n += i; }
static __attribute__((noinline)) void hang(int region) {
  if (which == region && omp_get_thread_num() == 1) {
    alarm(600);
    write(1, "there\n", 6);
    while (1)
      pause();
  }
}
static inline int twice(void) { return 2 * n; }
static __attribute__((noinline)) void called(int me) {
  if (me == 0) {
    touch(twice());
#pragma omp parallel num_threads(2) /* REGION 2 */
    {
      touch(twice());
      hang(2);
    }
    touch(3);
  }
}
int main(int argc, char **argv) {
  which = atoi(argv[argc - 1]);
  omp_set_max_active_levels(3);
  for (int i = 0; i < 3; i++) {
    touch(i);

#pragma omp parallel num_threads(2) /* REGION 0 */
    hang(i ? -1 : 0);
    touch(5);
  }
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
    for (int k = 0; k < 2; k++) {
      touch(k);
#pragma omp parallel num_threads(2) /* REGION 1 */
      {
        called(omp_get_thread_num());
        hang(me == 0 ? 1 : -1);
        touch(2);
      }
    }
    touch(8);
  }
  return 0;
}
"""
CIRCLE = "nanogomp: a circle that cannot end: "


def line_of(mark, program=PROGRAM):
    return 1 + [mark in line for line in program.split("\n")].index(True)


@unittest.skipUnless(os.environ.get("NTH_TEST_LIB"), "a build without its own library for programs")
class Stacks(support.ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.compile("hang", PROGRAM, "-fopenmp", "-g", "-O0")

    def hang(self, how, program=None, **settings):
        """The process, in its hang."""
        process = subprocess.Popen(
            [program or self.program, how], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "LD_LIBRARY_PATH": self.lib, "OMP_NUM_THREADS": "2", **settings})

        def end():
            process.kill()
            process.communicate()
        self.addCleanup(end)
        self.assertEqual(process.stdout.readline(), b"there\n")
        return process

    def shown(self, process, *words, until="", times=1, status=0):
        """The report; again until the members sleep, which shows in the text."""
        for _ in range(100):
            done = self.tool("stacks", *words, str(process.pid))
            if "not permitted" in done.stderr:
                self.skipTest("gdb may not attach here")
            self.assertEqual(done.returncode, status, done)
            if done.stdout.count(until) >= times:
                return done.stdout + done.stderr
            time.sleep(0.2)
        self.fail("no %r in %s" % (until, done.stdout))

    def said_by_signal(self, process):
        """The library's own report."""
        self.assertIn("on the stderr of process", self.shown(process, "--by", "signal"))
        return "".join(line.decode() for line in iter(
            process.stderr.readline, b"nanogomp: the program goes on\n"))

    @unittest.skipUnless(shutil.which("gdb") and platform.machine() == "x86_64", "needs gdb")
    def test_circles_by_gdb(self):
        for members in ("os", "nano"):
            for how, mark in (("barrier", "LOCK "), ("locks", "LOCKS "), ("tasks", "TASK ")):
                process = self.hang(how, NTH_MEMBERS=members)
                text = self.shown(process, "--by", "gdb", until=CIRCLE)
                self.assertIn("%s.c:%d " % (self.program, line_of("/* " + mark)), text)
                self.assertIsNone(process.poll())

    @unittest.skipUnless(shutil.which("gdb") and platform.machine() == "x86_64", "needs gdb")
    def test_who_holds_is_noted(self):
        text = self.shown(self.hang("locks", NTH_MEMBERS="nano", NTH_STALL_SIGNAL="USR1"),
                          until=CIRCLE)
        self.assertNotIn("inferred", text)

    @unittest.skipUnless(shutil.which("gdb") and platform.machine() == "x86_64", "needs gdb")
    def test_no_circle(self):
        text = self.shown(self.hang("late"), "--all")
        self.assertRegex(text, r"works at \S+.c:%d \(late\), in sleep\n" % line_of("LATE"))
        self.assertNotIn("circle", text)
        self.assertIn("#0 ", text)

    @unittest.skipUnless(shutil.which("gdb") and platform.machine() == "x86_64", "needs gdb")
    def test_no_circle_in_barriers_that_go_on(self):
        """Those that a barrier has let out, and that are not awake yet, wait for nobody."""
        for members in ("os", "nano"):
            process = self.hang("goes", NTH_MEMBERS=members, HANG_SIZE="8")
            for _ in range(4):
                text = self.shown(process, "--by", "gdb", until="waits at a barrier")
                self.assertNotIn("circle", text)

    @unittest.skipUnless(shutil.which("gdb") and platform.machine() == "x86_64", "needs gdb")
    def test_many_at_two_barriers(self):
        """A report takes no longer for many ways to go around."""
        text = self.shown(self.hang("apart", HANG_SIZE="24"), "--by", "gdb", until="for thread 1\n")
        self.assertNotIn("circle", text)

    @unittest.skipUnless(shutil.which("gdb") and platform.machine() == "x86_64", "needs gdb")
    def test_master_at_the_end_in_gdb(self):
        """`nanogomp waits`: who has not come, though no barrier tells."""
        self.assertRegex(self.waits_in_gdb(self.hang("end", NTH_MEMBERS="os")),
                         r"thread 1 \(0 of 2, .*waits: .*, for thread \d+\n")

    @unittest.skipUnless(shutil.which("gdb") and platform.machine() == "x86_64", "needs gdb")
    def test_who_has_the_turn(self):
        """Of an ordered loop; another member is past it."""
        for members in ("os", "nano"):
            process = self.hang("ordered", HANG_SIZE="4", NTH_MEMBERS=members)
            turn = "waits for its turn in a loop at "
            text = self.shown(process, "--by", "gdb", until=turn, times=2)
            first = re.search(r"(?m)^nanogomp: (\w+ \d+) .*\b0 of 4.* works at .*\(late\)", text)
            self.assertEqual(re.findall(turn + r"\S+ \(ordered\), (.*)", text),
                             ["for " + first[1]] * 2, text)
            text = self.waits_in_gdb(process)
            self.assertEqual(re.findall(r"waits: ordered \(iteration 0 has the turn\), for (.*)\n",
                                        text), ["thread 1"] * 2, text)

    def waits_in_gdb(self, process):
        """What `nanogomp waits` shows of it, when some member waits."""
        for _ in range(100):
            done = subprocess.run(
                ["gdb", "-q", "-nx", "-batch", "-p", str(process.pid), "-x",
                 os.path.join(support.TOOLS, "gdb", "nanogomp.py"), "-ex", "nanogomp waits"],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
            if "not permitted" in done:
                self.skipTest("gdb may not attach here")
            if "waits: " in done:
                break
            time.sleep(0.2)
        self.assertNotIn("Traceback", done)
        return done

    @unittest.skipUnless(shutil.which("gdb") and platform.machine() == "x86_64", "needs gdb")
    def test_lock_that_the_thread_has_itself(self):
        process = self.hang("own", NTH_STALL_SIGNAL="USR1")
        text = self.shown(process, "--by", "gdb", until=CIRCLE)
        self.assertRegex(text, r"waits for a lock at \S+.c:%d \(own\), which it has itself\n"
                         % line_of("OWN"))
        self.assertIn(CIRCLE + "thread 1 waits for itself\n", text)
        lines = self.said_by_signal(process)
        self.assertRegex(lines, r"waits for a lock for \S+ s, hang\+0x\w+.*, which it has itself\n")
        self.assertRegex(lines, CIRCLE + r"thread \d+ waits for itself\n")
        text = self.shown(self.hang("own"), "--by", "gdb", until="waits for a lock")
        self.assertIn(", which no other thread here can have", text)

    @unittest.skipUnless(shutil.which("gdb") and platform.machine() == "x86_64", "needs gdb")
    def test_join_waits_for_a_nested_team(self):
        """The other member of the outer team is the master of the inner one."""
        process = self.hang("nested", NTH_MEMBERS="os")
        end = "waits at the end of its region at "
        text = self.shown(process, "--by", "gdb", until=end)
        self.assertRegex(text, end + r"\S+:\d+ \(main\), for thread \d+, \d+\n")

    @unittest.skipUnless(shutil.which("gdb") and platform.machine() == "x86_64", "needs gdb")
    def test_lines_of_regions(self):
        """A region has its directive's line, not that of the call before it."""
        for level in "012":
            program = self.compile("regions" + level, REGIONS, "-fopenmp", "-g", "-O" + level)
            for region, name in enumerate(("main", "main._omp_fn.*", "called")):
                with self.subTest(level=level, region=region):
                    process = self.hang(str(region), program, NTH_MEMBERS="os")
                    text = self.shown(process, "--by", "gdb", until="at the end of its region at")
                    self.assertRegex(text, r"the end of its region at \S+\.c:%d \(%s\)" % (
                        line_of("/* REGION %d" % region, REGIONS), name))

    @unittest.skipUnless(shutil.which("gdb") and platform.machine() == "x86_64", "needs gdb")
    def test_members_that_wait_for_many(self):
        """Names of many are short, and a member that no OS thread runs is known as one."""
        process = self.hang("late", NTH_MEMBERS="nano", OMP_NUM_THREADS="16", HANG_SIZE="16")
        text = self.shown(process, "--by", "gdb", until="no OS thread runs it)")
        self.assertRegex(text, r"(?m)^nanogomp: member \d+ \(\d+ of 16 in its team, no OS thread "
                         r"runs it\) waits at a barrier at .*, for thread \d+$")

    @unittest.skipUnless(shutil.which("gdb") and shutil.which("strip"), "needs gdb and strip")
    def test_library_without_debug_information(self):
        """Which lock or barrier it is, the program's call tells. What is not seen is said."""
        folder = os.path.join(self.folder, "stripped")
        shutil.copytree(self.lib, folder, symlinks=True,
                        ignore=shutil.ignore_patterns("preload", "*.so"))
        subprocess.run(["strip", os.path.join(folder, "libgomp.so.1")], check=True)
        for how, text in (("locks", "waits for a lock at"), ("nested", "waits at a barrier at")):
            process = self.hang(how, LD_LIBRARY_PATH=folder, NTH_MEMBERS="os")
            said = self.shown(process, "--by", "gdb", until=text)
            self.assertIn("the library has no debug information", said)
            self.assertNotIn(", for ", said)
            self.assertNotIn(CIRCLE, said)
        self.assertIn("works at %s.c:%d (late), in sleep\n" % (self.program, line_of("LATE")), said)

    @unittest.skipUnless(shutil.which("gdb"), "needs gdb")
    def test_stopped_or_ended_process(self):
        process = self.hang("locks", NTH_STALL_SIGNAL="USR1")
        os.kill(process.pid, signal.SIGSTOP)
        for way in ("gdb", "signal"):
            text = self.shown(process, "--by", way)
            self.assertIn("process %d is stopped, so nothing in it moves; kill -CONT" % process.pid,
                          text)
        os.kill(process.pid, signal.SIGCONT)
        self.assertIn(b"asked by a signal", process.stderr.readline())
        process.kill()
        while stacks.state_of(process.pid) != "Z":
            time.sleep(0.01)
        done = self.tool("stacks", str(process.pid))
        self.assertEqual(done.returncode, 125, done.stderr)
        self.assertIn("process %d has ended" % process.pid, done.stderr)

    def test_by_signal(self):
        process = self.hang("barrier", NTH_STALL_SIGNAL="USR1")
        time.sleep(0.5)
        self.assertIn("asked by a signal", self.said_by_signal(process).splitlines()[0])

    @unittest.skipUnless(shutil.which("gdb") and platform.machine() == "x86_64", "needs gdb")
    def test_all_ways_have_the_same_words(self):
        """`nanogomp why`, and the library's own report, of each hang."""
        for how in ("barrier", "locks", "tasks"):
            process = self.hang(how, NTH_STALL_SIGNAL="USR1")
            wanted = set(re.findall(r"waits (?:at|for) [a-z' ]+?(?= at \S+:\d+ \()",
                                    self.shown(process, "--by", "gdb", until=CIRCLE)))
            said = set(re.findall(r"waits (?:at|for) [a-z' ]+?(?= for \d)",
                                  self.said_by_signal(process)))
            self.assertTrue(wanted)
            self.assertEqual(wanted, said, how)

    def test_table_of_words(self):
        """The check finds a row that has changed on one side."""
        root = os.path.join(self.folder, "tree")
        for name in ("runtime/omp/told", "runtime/omp/tool", "tools/gdb"):
            shutil.copytree(os.path.join(os.path.dirname(support.TOOLS), name),
                            os.path.join(root, name))
        check = [sys.executable, os.path.join(support.TOOLS, "check-reasons.py"), "--root", root]
        self.assertEqual(subprocess.run(check, stdout=subprocess.DEVNULL).returncode, 0)
        path = os.path.join(root, "runtime/omp/told/reasons.h")
        with open(path) as file:
            text = file.read()
        self.write(path, text.replace("waits for a lock\"", "wants a lock\""))
        done = subprocess.run(check, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("wait_lock: reasons.h has ('lock', 'wants a lock')", done.stderr)

    def test_library_that_was_replaced(self):
        """As by an upgrade: the process has the old file, which has no name any more."""
        folder = os.path.join(self.folder, "replaced")
        shutil.copytree(self.lib, folder, symlinks=True, ignore=shutil.ignore_patterns("preload"))
        process = self.hang("late", LD_LIBRARY_PATH=folder, NTH_STALL_SIGNAL="USR1")
        name = os.path.realpath(os.path.join(folder, "libgomp.so.1"))
        shutil.copy(name, name + ".new")
        os.replace(name + ".new", name)
        self.assertIn("waits at a barrier", self.said_by_signal(process))

    def test_bad_input(self):
        done = self.tool("stacks", "999999999")
        self.assertEqual((done.returncode, done.stderr), (125, "nanogomp: no process 999999999\n"))
        done = self.tool("stacks", str(os.getpid()))
        self.assertEqual(done.returncode, 125)
        self.assertEqual(self.tool("stacks", "x").returncode, 2)
        text = self.shown(self.hang("late"), "--by", "signal", status=1)
        self.assertIn("does not listen: it was started without NTH_STALL_SIGNAL", text)


if __name__ == "__main__":
    unittest.main()
