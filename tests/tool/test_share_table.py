#!/usr/bin/env python3
# test_share_table.py - programs that share the processors by NTH_SHARE=NAME
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import mmap
import os
import random
import subprocess
import sys
import time
import unittest

import support

from nanogomp_lib import share_table  # noqa: E402  (support has set the path)

# Regions while there is "b" to read last, sleep after "i"; the end of input is the program's. "f":
# a forked child, which does the same. "e": the process becomes the program anew.
PROGRAM = r"""
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static void work(void) {
  for (int i = 0; i < 20000; i++)
    __asm__ volatile("");
}
int main(int argc, char **argv) {
  char mode = 'b', c;
  (void)argc;
  long sum = 0, wanted = 0;
  fcntl(0, F_SETFL, O_NONBLOCK);
#pragma omp parallel
  work();
  puts("ready");
  fflush(stdout);
  for (;;) {
    ssize_t n = read(0, &c, 1);
    if (n == 0)
      return sum != wanted;
    if (n == 1 && c == 'f')
      fork();
    else if (n == 1 && c == 'e')
      execv("/proc/self/exe", argv);
    else if (n == 1 && c == 'u')
      sum += setuid(65534) != 0; // a wrong answer
    else if (n == 1)
      mode = c;
    if (mode != 'b') {
      usleep(5000);
      continue;
    }
    wanted += 20;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
    for (int i = 0; i < 20; i++) {
      work();
      sum++;
    }
  }
}
"""
CPUS = len(os.sched_getaffinity(0))
SECONDS = 120  # until which a busy machine has run everybody


@unittest.skipUnless(os.environ.get("NTH_TEST_LIB"), "needs the library")
@unittest.skipUnless(os.path.isdir("/dev/shm"), "needs /dev/shm")
class ShareTable(support.ToolTest):
    """Programs on one table."""

    def setUp(self):
        self.dir = self.folder
        self.name = "test-%d-%d" % (os.getpid(), time.monotonic_ns())
        self.path = "/dev/shm/%s%d.%d.%s" % (share_table.PREFIX, os.geteuid(),
                                             os.stat("/proc/self/ns/pid").st_ino, self.name)
        self.started = []
        self.addCleanup(self.end_all)
        self.program = os.path.join(self.dir, "share-table")
        if not os.path.exists(self.program):
            source = self.program + ".c"
            with open(source, "w", encoding="ascii") as file:
                file.write(PROGRAM)
            subprocess.run([support.CC, "-O1", "-fopenmp", source, "-o", self.program], check=True)

    def end_all(self):
        for child in self.started:
            child.kill()
            child.communicate()
        if os.path.lexists(self.path):
            os.unlink(self.path)

    def start(self, value=None, err=None):
        env = {**os.environ, "LD_LIBRARY_PATH": self.lib, "NTH_SHARE": value or self.name}
        if value == "":
            del env["NTH_SHARE"]
        child = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 stderr=err, env=env)
        self.started.append(child)
        self.assertEqual(child.stdout.readline(), b"ready\n")
        return child

    @staticmethod
    def tell(child, what):
        child.stdin.write(what)
        child.stdin.flush()

    def rows(self):
        return {row[0]: row[1:] for row in share_table.Table(self.path).rows()}

    def await_that(self, what, holds):
        until = time.monotonic() + SECONDS
        while not holds():
            self.assertLess(time.monotonic(), until, "%s: %r" % (what, self.rows()))
            time.sleep(0.002)

    def has(self, child):
        return self.rows().get(child.pid, (0, 0))[1]

    @unittest.skipUnless(CPUS > 1, "needs two CPUs")
    def test_parts(self):
        one = self.start()
        self.await_that("alone", lambda: self.has(one) == CPUS)
        two = self.start()
        self.await_that("halves", lambda: self.has(one) == (CPUS + 1) // 2
                        and self.has(two) == CPUS // 2)
        self.tell(two, b"i")
        self.await_that("lent", lambda: self.has(one) == CPUS and self.rows()[two.pid][3])
        self.assertEqual(self.rows()[two.pid][2], CPUS // 2)
        shown = subprocess.run([support.TOOL, "share"], stdout=subprocess.PIPE, check=True,
                               timeout=SECONDS).stdout.decode()
        self.assertRegex(shown, r"(?m)^%s +%d +share-table +%d +\d+ " % (
            self.name[:40], one.pid, CPUS))
        self.tell(two, b"b")
        self.await_that("back", lambda: self.has(one) == (CPUS + 1) // 2)
        for child in (one, two):
            child.communicate()
            self.assertEqual(child.returncode, 0)
        self.assertEqual(self.rows(), {})

    def test_bound(self):
        """`nanogomp share PID N` bounds a member of a table."""
        one = self.start()
        for number in ("1", "all"):
            done = subprocess.run([support.TOOL, "share", "--wait", "60000", str(one.pid), number],
                                  stdout=subprocess.PIPE, timeout=SECONDS, check=True)
            self.assertIn("asked for %s" % number, done.stdout.decode())
            self.await_that("bound", lambda n=number: self.has(one) == (1 if n == "1" else CPUS))

    def test_killed(self):
        """At any moment, also while it claims its slot: the others have its processors soon."""
        one, best = self.start(), []
        for _ in range(12):
            two = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   env={**os.environ, "LD_LIBRARY_PATH": self.lib,
                                        "NTH_SHARE": self.name})
            self.started.append(two)
            time.sleep(random.uniform(0, 0.08))
            two.kill()
            killed = time.monotonic()
            two.wait()
            self.await_that("killed", lambda: self.has(one) == CPUS and list(self.rows()) ==
                            [one.pid])
            best.append(time.monotonic() - killed)
        self.assertLess(min(best), 0.1)  # 4 to 12 ms on a quiet machine
        one.communicate()
        self.assertEqual(one.returncode, 0)

    def test_fork(self):
        one = self.start()
        self.tell(one, b"f")
        self.await_that("forked", lambda: len(self.rows()) == 2)
        one.communicate()
        self.assertEqual(one.returncode, 0)
        self.await_that("ended", lambda: not self.rows())

    def test_exec(self):
        """A process that becomes another program has one slot, and its part again."""
        one, two = self.start(), self.start()
        for _ in range(5):
            self.tell(two, b"e")
            self.assertEqual(two.stdout.readline(), b"ready\n")
            self.await_that("again", lambda: sorted(self.rows()) == sorted((one.pid, two.pid))
                            and self.has(two) == max(1, CPUS // 2))
        two.communicate()
        self.assertEqual(two.returncode, 0)
        self.await_that("alone", lambda: self.has(one) == CPUS and list(self.rows()) == [one.pid])

    @unittest.skipUnless(os.geteuid() == 0, "needs root")
    def test_setuid(self):
        """Who changes its user keeps the table that it has mapped."""
        one = self.start()
        self.tell(one, b"u")
        self.await_that("as before", lambda: self.has(one) == CPUS)
        one.communicate()
        self.assertEqual(one.returncode, 0)
        self.await_that("left", lambda: not self.rows())

    def refused(self, why):
        child = self.start(err=subprocess.PIPE)
        error = child.communicate()[1].decode()
        self.assertEqual(child.returncode, 0)
        self.assertEqual(error, "nanogomp: NTH_SHARE: no table '%s' is used (%s): processors are "
                         "not shared with other programs\n" % (self.name, why))

    def test_refused(self):
        other = os.path.join(self.dir, "other")
        with open(other, "wb") as file:
            file.write(bytes(4096))
        os.symlink(other, self.path)
        self.refused("it is a symbolic link")
        os.unlink(self.path)
        for size, mode, first, why in ((4096, 0o644, b"", "its mode is not 0600"),
                                       (4095, 0o600, b"", "it has another size than a table"),
                                       (4096, 0o600, b"x", "it is of another version of nanogomp")):
            with open(self.path, "wb") as file:
                file.write(first + bytes(size - len(first)))
            os.chmod(self.path, mode)
            self.refused(why)
            os.unlink(self.path)
        os.mkfifo(self.path, 0o600)
        self.refused("it is no plain file")
        os.unlink(self.path)
        if os.geteuid() == 0:
            with open(self.path, "wb") as file:
                file.write(bytes(4096))
            os.chmod(self.path, 0o600)
            os.chown(self.path, 1, -1)
            self.refused("it is another user's")

    def test_nonsense(self):
        """Whatever stands in the table, and if it loses its bytes, the program goes on."""
        one = self.start(err=subprocess.PIPE)
        with open(self.path, "r+b") as file:
            words = mmap.mmap(file.fileno(), 4096)
            for _ in range(30):
                words[8:4096] = random.randbytes(4088)
                time.sleep(0.01)
            words[64:4096] = bytes(4032)
            self.await_that("again", lambda: self.has(one) == CPUS)
            file.truncate(0)
        time.sleep(0.2)
        self.tell(one, b"b")
        error = one.communicate()[1].decode()
        self.assertEqual(one.returncode, 0)
        self.assertEqual(error, "nanogomp: NTH_SHARE: the table's file was shortened: processors "
                         "are not shared any longer\n")

    def test_off(self):
        def tables():
            return {name for name in os.listdir("/dev/shm") if name.startswith("nth-table")}
        for value in ("", "off"):
            before = tables()
            child = self.start(value)
            with open("/proc/%d/maps" % child.pid, encoding="utf-8") as maps:
                self.assertNotIn("nth-table", maps.read())
            child.communicate()
            self.assertEqual(child.returncode, 0)
            self.assertLessEqual({n for n in tables() - before if self.name in n}, set())


if __name__ == "__main__":
    sys.exit(unittest.main())
