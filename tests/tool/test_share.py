#!/usr/bin/env python3
# test_share.py - `nanogomp share` takes processors from a running program and gives them back
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import signal
import subprocess
import sys
import tempfile
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
        self.assertEqual(share.path_of(77, proc), "/a b/nth-share.5")

    @unittest.skipUnless(os.environ.get("NTH_TEST_LIB"), "needs the library")
    def test_program(self):
        source, program = (os.path.join(self.dir, "program" + end) for end in (".c", ""))
        with open(source, "w", encoding="ascii") as file:
            file.write(PROGRAM)
        include = os.path.join(os.path.dirname(support.TOOLS), "abi", "include")
        subprocess.run([support.CC, "-pthread", "-I", include, source, self.library, "-o", program],
                       check=True)
        env = {**os.environ, "NTH_SHARE": self.dir, "LD_LIBRARY_PATH": self.lib}
        child = self.start([program], env)
        for number, running in (("1", 1), ("3", 3), ("2", 2), ("all", 4), ("4", 4), ("1", 1)):
            code, out, error = self.share("--wait", 60000, child.pid, number)
            self.assertEqual((code, error), (0, ""))
            self.assertEqual(out, "processors 4, asked for %s, running %d\n" % (number, running))
        self.assertTrue(os.path.exists(os.path.join(self.dir, "nth-share.%d" % child.pid)))
        child.communicate()  # closes its input
        self.assertEqual(child.returncode, 0)
        self.assertEqual([name for name in os.listdir(self.dir) if "share" in name], [])

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
