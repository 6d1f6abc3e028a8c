#!/usr/bin/env python3
# test_gdb.py - gdb's nanogomp commands find members that no OS thread runs, live and in a core file
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import re
import subprocess
import unittest

import gdb_support

MEMBERS = 8

# Member 0 runs, odd ones wait for a lock, even ones at a barrier; all_wait() is called repeatedly.
PROGRAM = r"""
#include <omp.h>
#include <unistd.h>
omp_lock_t held;
volatile int calls;
__attribute__((noinline)) void all_wait(void) { calls++; }
__attribute__((noinline)) void waits_for_lock(int odd) {
  volatile int mine = 100 + odd;
  omp_set_lock(&held);
  omp_unset_lock(&held);
  (void)mine;
}
__attribute__((noinline)) void waits_at_barrier(int even) {
  volatile int mine = 100 + even;
#pragma omp barrier
  (void)mine;
}
int main(void) {
  omp_init_lock(&held);
  omp_set_lock(&held);
#pragma omp parallel num_threads(8)
  {
    int me = omp_get_thread_num();
    for (int i = 0; me == 0 && i < 1000; i++) {
      usleep(50000);
      all_wait();
    }
    if (me == 0)
      omp_unset_lock(&held);
    if (me & 1)
      waits_for_lock(me);
    waits_at_barrier(me);
  }
  return 0;
}
"""

# On until all but member 0 wait.
DRIVER = r"""
python
def stacks():
    return gdb.execute("nanogomp bt all", False, True)
gdb.execute("break all_wait")
gdb.execute("run")
for turn in range(900):
    if stacks().count("level 1") == %d:
        break
    gdb.execute("continue")
gdb.execute("gcore " + CORE)
end
""" % (MEMBERS - 1)

SHOW = ["nanogomp members", "nanogomp bt all", "echo == one\\n", "nanogomp bt 3 -2",
        "nanogomp bt 4 3", "echo == select\\n", "nanogomp select 3", "echo == none\\n",
        "nanogomp select off", "backtrace 3", "nanogomp bt 77"]


class Gdb(gdb_support.GdbTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.compile("waits", PROGRAM, "-fopenmp", "-g", "-O0")

    def gdb(self, *words, members="nano", library=None):
        def two_cpus():
            os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])

        return super().gdb(*words, library=library, prepare=two_cpus, NTH_MEMBERS=members)

    def check_shown(self, text):
        members, rest = text.split("== one\n")
        one, rest = rest.split("== select\n")
        selected, off = rest.split("== none\n")
        rows = re.findall(r"^\d+ +(?=\S+ of \d)(\d+) of (\d+), level 1.*$", members, re.MULTILINE)
        self.assertEqual(sorted(rows), [(str(i), str(MEMBERS)) for i in range(MEMBERS)], text)
        self.assertRegex(members, r"\n\d+ +0 of 8, level 1.* running on thread 1\n")
        self.assertRegex(members, r"\n\d+ +3 of 8, level 1.* waits while 0x\w+ \(held\) is 2\n")
        stacks = re.split(r"^member (?=\d)", members, flags=re.MULTILINE)[1:]
        self.assertIn(len(stacks), (MEMBERS, MEMBERS - 1), members)
        seen = set()
        for stack in (s for s in stacks if "level 1" in s):
            own = int(re.search(r"\((\d+) of 8", stack)[1])
            seen.add(own)
            name = "waits_for_lock (odd=%d)" if own & 1 else "waits_at_barrier (even=%d)"
            self.assertIn(name % own, stack)
            self.assertIn("main._omp_fn.0", stack)
            self.assertTrue(re.search(r"^#0 ", stack, re.MULTILINE), stack)
            self.assertNotIn("clone", stack)
            self.assertNotIn("corrupt", stack)
        self.assertEqual(seen, set(range(1, MEMBERS)))
        self.assertEqual(len(re.findall(r"^#\d", one, re.MULTILINE)), 2 + 3, one)
        self.assertRegex(selected, r"nth_carry_go|nth_switch")
        self.assertIn("no member 77", off)
        self.assertNotIn("_omp_fn", off)

    def show(self):
        return [word for line in SHOW for word in ("-ex", line)]

    def test_process_then_core(self):
        core = os.path.join(self.folder, "core")
        driver = os.path.join(self.folder, "driver")
        with open(driver, "w") as file:
            file.write(DRIVER.replace("CORE", repr(core)))
        text = self.gdb("-x", driver, *self.show(), "-ex", "kill", self.program)
        self.check_shown(text[text.index("member "):])
        text = self.gdb(*self.show(), self.program, core)
        self.check_shown(text[text.index("member "):])

    def test_locals_of_a_member(self):
        driver = os.path.join(self.folder, "driver-locals")
        with open(driver, "w") as file:
            file.write(DRIVER.replace('gdb.execute("gcore " + CORE)', r'''
number = re.search(r"^member (\d+) \(5 of 8", stacks(), re.M)[1]
gdb.execute("nanogomp select " + number)
while gdb.selected_frame().name() != "waits_for_lock":
    gdb.selected_frame().older().select()
print("mine is %d" % int(gdb.selected_frame().read_var("mine")))
gdb.execute("continue")
gdb.execute("backtrace")
print("went on")
''').replace("python", "python\nimport re", 1))
        text = self.gdb("-x", driver, "-ex", "kill", self.program)
        self.assertIn("mine is 105", text)
        self.assertIn("all_wait", text[text.index("mine is"):])
        self.assertIn("went on", text)

    def test_without_members(self):
        stop = ["-ex", "break all_wait", "-ex", "run", "-ex", "nanogomp members", "-ex", "kill",
                self.program]
        self.assertIn("no members: no region yet, or all members are OS threads",
                      self.gdb(*stop, members="os"))

    def test_without_debug_information(self):
        folder = os.path.join(self.folder, "stripped")
        os.makedirs(folder)
        subprocess.run(["strip", "-g", "-o", os.path.join(folder, "libgomp.so.1"), self.library],
                       check=True)
        stop = ["-ex", "break all_wait", "-ex", "run", "-ex", "nanogomp bt all", "-ex", "kill",
                self.program]
        self.assertIn("no debug information of the library", self.gdb(*stop, library=folder))

    def test_without_a_process(self):
        self.assertIn("no process and no core file", self.gdb("-ex", "nanogomp members"))
        self.assertIn("nanogomp select N", self.gdb("-ex", "nanogomp"))


if __name__ == "__main__":
    unittest.main()
