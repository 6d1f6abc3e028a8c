#!/usr/bin/env python3
# test_share.py - `nanogomp share` takes processors from a running program and gives them back
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import fcntl
import glob
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import support

from nanogomp_lib import share  # noqa: E402  (support has set the path)

# A program's part, played by Python: it maps the file and answers or does not.
PLAYER = """
import mmap, os, struct, sys, time
path = os.path.join(sys.argv[1], "nth-share.%d" % os.getpid())
with open(path, "w+b") as file:
    file.truncate(384)
    words = mmap.mmap(file.fileno(), 384)
words[0:16] = sys.argv[2].encode() + struct.pack("II", int(sys.argv[3]), os.getpid())
words[256:264] = struct.pack("II", 4, 4)
print("ready", flush=True)
while sys.argv[4] == "answers":
    asked, = struct.unpack("I", words[128:132])
    words[256:260] = struct.pack("I", min(asked or 4, 4))
    time.sleep(0.001)
time.sleep(1000)
"""
# Main stays in nth_block() until its input ends, which a thread of its own waits for.
PROGRAM = r"""
#include <nanogomp/nth.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int over;
static void turn(struct nth_desc *me) {
  usleep(200);
  if (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
    nth_depadd(me, 1);
    nth_to_lrq_end(nth_processor(), nth_create_ls(turn, 0, me, 1, me));
  }
}
static void *watch(void *arg) {
  char c;
  while (read(0, &c, 1) == 1)
    ;
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  return arg;
}
int main(void) {
  pthread_t t;
  nth_init(4);
  pthread_create(&t, NULL, watch, NULL);
  struct nth_desc *me = nth_self();
  nth_depadd(me, 9);
  for (int i = 0; i < 8; i++)
    nth_to_lrq(i % 4, nth_create_ls(turn, 0, me, 1, me));
  puts("ready");
  fflush(stdout);
  nth_block();
  return nth_exit();
}
"""

# Regions without end, until the program's input ends. "loop": chunks of a loop; "tasks"; "short":
# regions of some us with a barrier; "serial": after the first region, none for long.
REGIONS = r"""
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static int over;
static long sum;
static void work(void) {
  for (int i = 0; i < 20000; i++)
    __asm__ volatile("");
  __atomic_fetch_add(&sum, 1, __ATOMIC_RELAXED);
}
static void *watch(void *arg) {
  char c;
  while (read(0, &c, 1) == 1)
    ;
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  return arg;
}
int main(int argc, char **argv) {
  pthread_t t;
  const char *what = argv[argc - 1];
  long wanted = 0;
  pthread_create(&t, NULL, watch, NULL);
#pragma omp parallel
  work();
  sum = 0;
  puts("ready");
  fflush(stdout);
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
    wanted += strcmp(what, "serial") ? 100 : 1;
    if (strcmp(what, "loop") == 0) {
#pragma omp parallel for schedule(dynamic)
      for (int i = 0; i < 100; i++)
        work();
    } else if (strcmp(what, "tasks") == 0) {
#pragma omp parallel
#pragma omp single
      for (int i = 0; i < 100; i++)
#pragma omp task
        work();
    } else if (strcmp(what, "short") == 0) {
      for (int k = 0; k < 10; k++)
#pragma omp parallel for schedule(static)
        for (int i = 0; i < 10; i++)
          work();
    } else {
      work();
    }
  }
  return sum != wanted;
}
"""


class Share(support.ToolTest):
    """The command, on a stand-in for a program and on a program."""

    def setUp(self):
        self.dir = tempfile.mkdtemp(dir=self.folder)
        self.started = []
        self.addCleanup(self.end_all)

    def end_all(self):
        for child in self.started:
            child.kill()
            child.communicate()

    def start(self, command, env=None):
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
        self.started.append(child)
        self.assertEqual(child.stdout.readline(), b"ready\n")
        return child

    def player(self, does, magic="nthshare", version="1"):
        return self.start([sys.executable, "-c", PLAYER, self.dir, magic, version, does])

    def share(self, *arguments):
        done = subprocess.run([support.TOOL, "share", *map(str, arguments)], timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def test_answer(self):
        pid = self.player("answers").pid
        self.assertEqual(self.share(pid), (0, "processors 4, asked for all, running 4\n", ""))
        self.assertEqual(self.share("--wait", 60000, pid, 2),
                         (0, "processors 4, asked for 2, running 2\n", ""))
        self.assertEqual(self.share("--wait", 60000, pid, "all")[1],
                         "processors 4, asked for all, running 4\n")
        self.assertEqual(self.share("--wait", 60000, pid, 9)[1],
                         "processors 4, asked for 9, running 4\n")

    def test_no_answer(self):
        pid = self.player("sleeps").pid
        code, out, error = self.share("--wait", 50, pid, 3)
        self.assertEqual((code, out), (1, "processors 4, asked for 3, running 4\n"))
        self.assertEqual(error, "nanogomp: process %d has not answered within 50 ms\n" % pid)

    def test_another_command_asks(self):
        """The time to wait is also that for its end. The program is not asked."""
        pid = self.player("answers").pid
        with open(os.path.join(self.dir, "nth-share.%d" % pid), "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            code, out, error = self.share("--wait", 50, pid, 3)
        self.assertEqual((code, out), (1, "processors 4, asked for all, running 4\n"))
        self.assertEqual(error, "nanogomp: another command asks process %d; it was not free "
                         "within 50 ms\n" % pid)

    def test_refused(self):
        pid = self.player("sleeps", version="7").pid
        self.assertIn("another version", self.share(pid, 1)[2])
        pid = self.player("sleeps", magic="nthshaRe").pid
        self.assertIn("another version", self.share(pid, 1)[2])
        code, _, error = self.share(os.getpid(), 1)
        self.assertEqual(code, 125)
        self.assertIn("NTH_SHARE=FOLDER", error)
        self.assertEqual(self.share(2**22 + 1, 1)[0], 125)
        for bad in ("0", "-1", "x", "1.5", str(2**31)):
            self.assertEqual(self.share(os.getpid(), "--", bad)[0], 2, bad)

    def test_forked_child(self):
        """A child maps its parent's file, which is none of its own."""
        maps = os.path.join(self.dir, "proc", "77")
        os.makedirs(maps)
        for name, text in (("status", "Pid:\t77\nNSpid:\t77\t5\n"),
                           ("maps", "7f-80 rw-s 0 fd:01 12 /a b/nth-share.4\n")):
            with open(os.path.join(maps, name), "w", encoding="ascii") as file:
                file.write(text)
        proc = os.path.dirname(maps)
        self.assertRaises(share.NoShare, share.path_of, 77, proc)
        with open(os.path.join(maps, "maps"), "a", encoding="ascii") as file:
            file.write("80-81 rw-s 0 fd:01 12 /a b/nth-share.5\n")
        self.assertEqual(share.path_of(77, proc), (proc + "/77/root/a b/nth-share.5", 5))

    @unittest.skipUnless(os.environ.get("NTH_TEST_LIB"), "needs the library")
    @unittest.skipUnless(os.geteuid() == 0, "needs root")
    def test_file_systems_of_its_own(self):
        """Of a program in a container its own file is found, not one of that name here."""
        env = {**os.environ, "NTH_SHARE": "/mnt", "LD_LIBRARY_PATH": self.lib,
               "OMP_NUM_THREADS": "2", "NTH_MEMBERS": "os"}
        child = self.start(["unshare", "-m", "sh", "-c",
                            "mount -t tmpfs none /mnt && exec \"$0\" loop",
                            self.build(REGIONS)], env)
        path, process = share.path_of(child.pid)
        self.assertFalse(os.path.exists("/mnt/nth-share.%d" % child.pid))
        self.assertEqual(share.Share(path, process).word(share.PID_AT).value, child.pid)
        self.assertRaises(share.NoShare, share.Share, path, process + 1)

    def build(self, text):
        source, program = (os.path.join(self.dir, "program" + end) for end in (".c", ""))
        with open(source, "w", encoding="ascii") as file:
            file.write(text)
        include = os.path.join(os.path.dirname(support.TOOLS), "abi", "include")
        subprocess.run([support.CC, "-O1", "-pthread", "-fopenmp", "-I", include, source,
                        self.library, "-o", program], check=True)
        return program

    @unittest.skipUnless(os.environ.get("NTH_TEST_LIB"), "needs the library")
    def test_program(self):
        env = {**os.environ, "NTH_SHARE": self.dir, "LD_LIBRARY_PATH": self.lib}
        child = self.start([self.build(PROGRAM)], env)
        for number, running in (("1", 1), ("3", 3), ("2", 2), ("all", 4), ("4", 4), ("1", 1)):
            code, out, error = self.share("--wait", 60000, child.pid, number)
            self.assertEqual((code, error), (0, ""))
            self.assertEqual(out, "processors 4, asked for %s, running %d\n" % (number, running))
        self.assertTrue(os.path.exists(os.path.join(self.dir, "nth-share.%d" % child.pid)))
        child.communicate()  # closes its input
        self.assertEqual(child.returncode, 0)
        self.assertEqual([name for name in os.listdir(self.dir) if "share" in name], [])

    @staticmethod
    def runnable(pid):
        """How many threads want a CPU, without the watchdog, which looks for some us."""
        found = 0
        for task in glob.glob("/proc/%d/task/*/stat" % pid):
            try:
                with open(task, encoding="ascii", errors="replace") as file:
                    name, _, rest = file.read().rpartition(") ")
            except OSError:
                continue
            found += rest.startswith("R") and not name.endswith("(nanogomp-watch")
        return found

    def await_one(self, pid, wanted=True):
        """Until the process uses no more than one CPU; not wanted: until several of its threads
        want one half of the time. A thread that is woken wants a CPU from then on, though on some
        machines it gets one much later: with one permit, too, several may want one at times."""
        clock = ~pid << 3 | 2  # of the CPU time of that process, as clock_getcpuclockid() has it
        for _ in range(2000):
            more, began, used = 0, time.monotonic_ns(), time.clock_gettime_ns(clock)
            for _ in range(50):
                more += self.runnable(pid) > 1
                time.sleep(0.001)
            cpus = (time.clock_gettime_ns(clock) - used) / (time.monotonic_ns() - began)
            if more <= 35 and cpus < 1.2 if wanted else more >= 25:
                return
        self.fail("%d of 50 looks saw several threads, which used %.2f CPUs" % (more, cpus))

    def ask_regions(self, program, what, **settings):
        env = {**os.environ, "NTH_SHARE": self.dir, "LD_LIBRARY_PATH": self.lib, **settings}
        child = self.start([program, what], env)
        all_of_them = int(self.share(child.pid)[1].split()[1].rstrip(","))
        self.assertGreaterEqual(all_of_them, 1)
        for number in ("1", "all", "2", "1", str(all_of_them + 7), "1", "all"):
            code, out, error = self.share("--wait", 60000, child.pid, number)
            running = all_of_them if number == "all" else min(int(number), all_of_them)
            self.assertEqual((code, error, out), (0, "", "processors %d, asked for %s, running %d\n"
                                                  % (all_of_them, number, running)))
            if number == "1":
                self.await_one(child.pid)
            elif number == "all" and all_of_them > 1 and what != "serial":
                self.await_one(child.pid, False)
        child.communicate()
        self.assertEqual(child.returncode, 0, "the sum is wrong")

    @unittest.skipUnless(os.environ.get("NTH_TEST_LIB"), "needs the library")
    def test_regions(self):
        program = self.build(REGIONS)
        four = {"OMP_NUM_THREADS": "4"}
        for what, every in (("loop", ({}, {"OMP_NUM_THREADS": "2"}, four,
                                      {"NTH_MEMBERS": "os", **four},
                                      {"NTH_MEMBERS": "nano", **four})),
                            ("tasks", ({"OMP_NUM_THREADS": "2"}, {"NTH_MEMBERS": "nano", **four})),
                            ("short", ({"OMP_NUM_THREADS": "2"}, four)), ("serial", ({}, four))):
            for settings in every:
                with self.subTest(what=what, **settings):
                    self.ask_regions(program, what, **settings)

    @unittest.skipUnless(os.environ.get("NTH_TEST_LIB"), "needs the library")
    def test_nonsense(self):
        """Whatever somebody writes into the file, the program goes on and obeys the next one."""
        env = {**os.environ, "NTH_SHARE": self.dir, "LD_LIBRARY_PATH": self.lib,
               "OMP_NUM_THREADS": "2", "NTH_MEMBERS": "os"}
        child = self.start([self.build(REGIONS), "loop"], env)
        words = share.Share(*share.path_of(child.pid))
        for value in (2**32 - 1, 2**31, 2**31 + 1, 77):
            words.asked.value = words.running.value = words.processors.value = value
            words.wake()
            self.await_one(child.pid, False)
        words.map[8:384] = bytes(range(256)) + bytes(120)
        words.wake()
        words.map[0:16] = b"nthshare" + struct.pack("=II", 1, child.pid)
        self.assertEqual(self.share("--wait", 60000, child.pid, 1),
                         (0, "processors 2, asked for 1, running 1\n", ""))
        self.await_one(child.pid)
        child.communicate()
        self.assertEqual(child.returncode, 0)

    @unittest.skipUnless(os.environ.get("NTH_TEST_LIB"), "needs the library")
    def test_killed(self):
        """The file that a killed process leaves is no hindrance."""
        env = {**os.environ, "NTH_SHARE": self.dir, "LD_LIBRARY_PATH": self.lib}
        child = self.start([sys.executable, "-c", "import ctypes, sys, time\n"
                            "ctypes.CDLL('libgomp.so.1')\nprint('ready', flush=True)\n"
                            "time.sleep(1000)"], env)
        self.assertEqual(self.share(child.pid), (0, "processors 0, asked for all, running 0\n", ""))
        child.send_signal(signal.SIGKILL)
        child.wait()
        self.assertEqual(self.share(child.pid, 1)[0], 125)


if __name__ == "__main__":
    unittest.main()
