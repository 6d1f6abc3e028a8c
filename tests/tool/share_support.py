# share_support.py - programs that share the processors by a table, and what can be done to a table
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import ctypes
import os
import select
import subprocess
import time
import unittest

import support

from nanogomp_lib import share_table  # noqa: E402  (support has set the path)
from nanogomp_lib.share_table import remove  # noqa: E402

# Regions while there is "b" to read last, sleep after "i"; the end of input is the program's. "f":
# a forked child, which does the same. "e": the process becomes the program anew. "c": says how many
# iterations it has done. "r": it asks for as many processors as it was asked to use; "q": says for
# how many that is. The status is 1 if an answer was wrong.
PROGRAM = r"""
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int nth_request(int), nth_requested(void); // nanogomp/nth.h
#pragma weak nth_request
#pragma weak nth_requested
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
    else if (n == 1 && c == 'c')
      printf("%ld\n", sum), fflush(stdout);
    else if (n == 1 && c == 'q')
      printf("%d\n", nth_requested()), fflush(stdout);
    else if (n == 1 && c == 'r')
      sum += nth_request(nth_requested()) != 0; // a wrong answer
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

libc = share_table.libc
IPC_CREAT, IPC_EXCL, IPC_SET, IPC_STAT = 0o1000, 0o2000, 1, 2
STATUS_BYTES, UID_AT, MODE_AT = 256, 4, 20  # of struct shmid_ds


def call(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def make(key, size, mode=0o600):
    return call(libc.shmget(key, size, IPC_CREAT | IPC_EXCL | mode))


def change(segment, mode=0o600, uid=None):
    status = ctypes.create_string_buffer(STATUS_BYTES)
    call(libc.shmctl(segment, IPC_STAT, status))
    ctypes.c_uint32.from_buffer(status, UID_AT).value = os.geteuid() if uid is None else uid
    ctypes.c_uint32.from_buffer(status, MODE_AT).value = mode
    call(libc.shmctl(segment, IPC_SET, status))


def key_of(segment):
    with open(share_table.SEGMENTS, encoding="ascii") as file:
        rows = [line.split() for line in file]
    return next(int(row[0]) for row in rows[1:] if int(row[1]) == segment)


@unittest.skipUnless(os.environ.get("NTH_TEST_LIB"), "needs the library")
@unittest.skipUnless(os.path.exists(share_table.SEGMENTS), "needs System V's shared memory")
class TableTest(support.ToolTest):
    """Programs on one table."""

    def setUp(self):
        self.dir = self.folder
        self.name = "test-%d-%d" % (os.getpid(), time.monotonic_ns())
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
        for table in self.tables():
            remove(table.segment)

    def begin(self, value=None, err=None):
        """A program that may not be ready."""
        env = {**os.environ, "LD_LIBRARY_PATH": self.lib, "NTH_SHARE": value or self.name}
        if value == "":
            del env["NTH_SHARE"]
        child = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 stderr=err, env=env)
        self.started.append(child)
        return child

    def start(self, value=None, err=None):
        child = self.begin(value, err)
        self.assertEqual(child.stdout.readline(), b"ready\n")
        return child

    @staticmethod
    def tell(child, what):
        child.stdin.write(what)
        child.stdin.flush()

    def tables(self):
        return [table for table in share_table.tables() if table.name == self.name]

    def rows(self):
        return {row[0]: row[1:] for table in self.tables() for row in table.rows()}

    def done(self, child):
        """Iterations so far."""
        return self.number(child, b"c")

    def number(self, child, question):
        self.tell(child, question)
        self.assertTrue(select.select([child.stdout], [], [], SECONDS)[0], "hangs")
        return int(child.stdout.readline())

    def goes_on(self, child):
        before = self.done(child)
        self.await_that("goes on", lambda: self.done(child) > before)

    def await_that(self, what, holds):
        until = time.monotonic() + SECONDS
        while not holds():
            self.assertLess(time.monotonic(), until, "%s: %r" % (what, self.rows()))
            time.sleep(0.002)

    def has(self, child):
        return self.rows().get(child.pid, (0, 0))[1]
