#!/usr/bin/env python3
# test_hold.py - `nanogomp run --hold-threads` holds threads of programs as they are
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import re
import shutil
import subprocess
import sys
import unittest

import support

LIBRARY = "libnanogomp-hold.so"
LIB = os.environ.get("NTH_TEST_LIB", "")
KERNELS = os.path.join(os.path.dirname(support.TOOLS), "tests", "kernels")
COUNTS = re.compile(r"held threads: (\d+) of (\d+) created threads ran on (\d+) held OS threads, "
                    r"(\d+) on their own(.*)")

PYTHON = """
import concurrent.futures, threading
local, seen = threading.local(), []
def work(n):
    assert not hasattr(local, "x")
    local.x = n
    seen.append(n)
for turn in range(100):
    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for t in threads: t.start()
    for t in threads: t.join()
assert len(seen) == 800
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    assert list(pool.map(lambda n: n * n, range(100))) == [n * n for n in range(100)]
"""
# The calls that std::thread of Rust makes: a stack of 2 MiB, a name, an end of its own.
LIKE_RUST = r"""
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
static void *work(void *argument) { prctl(PR_SET_NAME, "worker"); return argument; }
int main(void) {
  for (int i = 0; i < 500; i++) {
    pthread_t t;
    pthread_attr_t a;
    void *result;
    pthread_attr_init(&a);
    pthread_attr_setstacksize(&a, 2 << 20);
    if (pthread_create(&t, &a, work, &t) || pthread_join(t, &result) || result != &t)
      abort();
    pthread_attr_destroy(&a);
  }
  return 0;
}
"""
# What only a thread's end takes back, in threads and in their creator.
RIGHTS = r"""
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
static void *work(void *argument) { prctl(PR_SET_TIMERSLACK, 70000ul); return argument; }
static void *looks(void *argument) {
  if (prctl(PR_GET_TIMERSLACK) == 70000)
    abort();
  return argument;
}
int main(void) {
  for (int i = 0; i < 50; i++) {
    pthread_t t;
    if (pthread_create(&t, NULL, i % 2 ? looks : work, NULL) || pthread_join(t, NULL))
      abort();
  }
  return 0;
}
"""


@unittest.skipUnless(os.path.exists(os.path.join(LIB, LIBRARY)), "no %s" % LIBRARY)
class Hold(support.ToolTest):
    def counts(self, *command):
        """held, created, OS threads, own, the reasons."""
        done = self.nanogomp_run("-v", "--hold-threads", *command)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = COUNTS.search(done.stderr)
        self.assertTrue(found, done.stderr)
        return tuple(int(n) for n in found.groups()[:4]) + (found[5],)

    def kernel(self):
        program = os.path.join(self.folder, "th_spawn")
        if not os.path.exists(program):
            subprocess.run([support.CC, "-O2", "-D_GNU_SOURCE", "-fopenmp", "-I", KERNELS,
                            os.path.join(KERNELS, "th_spawn.c"), "-o", program, "-lm"], check=True)
        return program

    def test_settings(self):
        program = self.compile("plain", "int main(void) { return 0; }")
        made = self.settings("--hold-threads", program)
        self.assertTrue(made["LD_PRELOAD"].strip("'").endswith(LIBRARY), made)
        both = self.settings("--hold-threads", "--way", "preload", program)["LD_PRELOAD"]
        self.assertLess(both.index(LIBRARY), both.index("libgomp.so.1"))
        self.assertNotIn("LD_PRELOAD", self.settings(program))

    @support.measured
    def test_few_os_threads(self):
        """The counters say it; where there is strace it does, too."""
        held, created, made, own, _ = self.counts(self.kernel())
        self.assertEqual((held, created, own), (100000, 100000, 0))
        self.assertLessEqual(made, 150)

    @unittest.skipUnless(shutil.which("strace"), "no strace")
    def clones(self):
        """OS threads that the kernel made for some 20,000 created threads."""
        table = os.path.join(self.folder, "strace.txt")
        done = self.nanogomp_run("--hold-threads", "strace", "-f", "-c", "-e", "trace=clone,clone3",
                                 "-o", table, self.kernel(), "--size", "20000")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(table, encoding="utf-8") as file:
            return sum(int(line.split()[3]) for line in file if re.search(r" clone3?$", line))

    @support.measured
    def test_few_clones(self):
        """Beside busy processes held threads come back late, and others are made."""
        self.assertTrue(0 < self.clones() <= 150)

    def test_python(self):
        script = os.path.join(self.folder, "threads.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write(PYTHON)
        held, created, made, own, why = self.counts(sys.executable, script)
        self.assertEqual(held + own, created)
        self.assertGreaterEqual(created, 800)
        if own == 0:  # an interpreter may import what forbids it
            self.assertLess(made, created / 4, why)

    @support.measured
    def test_like_rust(self):
        held, created, made, own, why = self.counts(self.compile("rust", LIKE_RUST, "-pthread"))
        self.assertEqual((held, created, own), (500, 500, 0), why)
        self.assertLess(made, 20, why)

    def test_call_that_cannot_be_taken_back(self):
        _, created, _, own, why = self.counts(self.compile("rights", RIGHTS, "-pthread"))
        self.assertEqual(created, 50)
        self.assertGreaterEqual(own, 48)
        self.assertIn("changes what a thread is", why)

    def test_missing_library(self):
        program = self.compile("plain", "int main(void) { return 0; }")
        folder = os.path.join(self.folder, "without")
        os.makedirs(folder)
        shutil.copy(self.library, os.path.join(folder, "libgomp.so.1"))
        done = self.nanogomp_run("--lib", folder, "--hold-threads", program)
        self.assertEqual(done.returncode, 125, done)
        self.assertIn(LIBRARY, done.stderr)


if __name__ == "__main__":
    unittest.main()
