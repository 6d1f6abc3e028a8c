#!/usr/bin/env python3
# test_gdb_openmp.py - gdb's commands show threads, teams, tasks and waits, live and in a core file
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import re
import subprocess
import unittest

import gdb_support

# Thread 0 of 4 has opened a region of two. There 0 is in a task and has made two more; 1 waits for
# a lock and does not take them. Of the four, 1 and 2 each have a lock and wait for the other's; 3
# is at a barrier. all_wait() is called repeatedly.
PROGRAM = r"""
#include <omp.h>
#include <stdatomic.h>
#include <unistd.h>
omp_lock_t first, second;
static atomic_int have;
__attribute__((noinline)) void all_wait(void) { __asm__ volatile(""); }
static void cross(omp_lock_t *mine, omp_lock_t *other) {
  omp_set_lock(mine);
  have++;
  while (have < 2)
    usleep(1000);
  omp_set_lock(other);
}
static void tasks(void) {
#pragma omp task
  usleep(1);
#pragma omp task
  usleep(2);
#pragma omp task if (0) final(1)
  for (int i = 0; i < 1000; i++) {
    usleep(50000);
    all_wait();
  }
}
int main(void) {
  omp_init_lock(&first);
  omp_init_lock(&second);
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(4)
  {
    switch (omp_get_thread_num()) {
    case 0:
#pragma omp parallel num_threads(2)
      {
        while (have < 2)
          usleep(1000);
        if (omp_get_thread_num() == 0)
          tasks();
        else
          omp_set_lock(&first);
      }
      break;
    case 1: cross(&first, &second); break;
    case 2: cross(&second, &first); break;
    }
#pragma omp barrier
  }
  return 0;
}
"""

# On until all but one wait.
DRIVER = r"""
python
gdb.execute("break all_wait")
gdb.execute("run")
for turn in range(900):
    if gdb.execute("nanogomp waits", False, True).count("waits: ") == 4:
        break
    gdb.execute("continue")
gdb.execute("gcore " + CORE)
end
"""
SHOW = ["echo == threads\\n", "nanogomp threads", "echo == teams\\n", "nanogomp teams",
        "echo == tasks\\n", "nanogomp tasks", "echo == waits\\n", "nanogomp waits",
        "echo == end\\n"]

# The circles of waits: a chain of 1000, which ends; the same, whose last two wait for each other;
# one that all wait for, and which waits for itself; two circles with a common member.
CIRCLES = """python
from nanogomp_gdb import openmp
chain = {n: [n + 1] for n in range(1000)}
for edges in (chain, {**chain, 1000: [999]}, {1: [2, 3], 2: [3], 3: [3]},
              {1: [2], 2: [1, 3], 3: [2]}):
    print("circles:", *openmp().circles(edges))
end
"""

# A library whose name looks like the C library's. Thread 1 is at a barrier and works there at a
# task of the library's.
CALC = r"""
#include <omp.h>
#include <stdatomic.h>
#include <unistd.h>
static atomic_int begun;
__attribute__((noinline)) void in_task(void) { __asm__ volatile(""); }
void calc(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp task
      {
        begun = 1;
        in_task();
      }
      while (!begun)
        usleep(1000);
    }
#pragma omp barrier
  }
}
"""

# A task that was moved to its own place, as in damaged memory.
MOVED = """python
from nanogomp_gdb import openmp
module, looks = openmp(), []
class Damaged(dict):
    address = 64
def struct_at(name, address):
    looks.append(address)
    assert len(looks) < 5 * module.MANY, "no bound"
    return Damaged(flags=1, next=64)
module.struct_at, module.number, module.constant = struct_at, int, lambda name: 1
print("task at", module.Task(64).address)
end
"""


class GdbOpenmp(gdb_support.GdbTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.compile("crossed", PROGRAM, "-fopenmp", "-g", "-O0")

    def check_shown(self, text, noted):
        parts = dict(re.findall(r"^== (\w+)\n(.*?)(?=^== )", text, re.M | re.S))
        self.assertNotIn("Traceback", text)
        self.assertEqual(len(re.findall(r"^thread \d+ ", parts["threads"], re.M)), 5, text)
        self.assertRegex(parts["threads"], r"thread 1 \(root\).*: 0 of 2, level 2; works")
        self.assertRegex(parts["threads"], r"1 of 4, level 1; waits: lock 0x\w+ \(second\)")
        self.assertRegex(parts["threads"], r"2 of 4, level 1; waits: lock 0x\w+ \(first\)")
        self.assertRegex(parts["threads"], r"3 of 4, level 1; waits: barrier")
        self.assertRegex(parts["teams"], r"root: thread 1 \(.*\)\n  team \w+: level 1, 4 threads\n"
                         r"    0  thread 1 \(.*\)\n +team \w+: level 2, 2 threads\n +0  thread 1 ")
        mine = parts["tasks"].split("thread 1 ")[1].split("thread 2 ")[0]
        self.assertRegex(mine, r"runs 0x\w+: final undeferred task")
        self.assertRegex(mine, r"made by 0x\w+: implicit task, [23] unfinished children")
        self.assertRegex(mine, r"ready 0x\w+: .* at crossed\.c:%d\n" % (
            PROGRAM.split("\n").index("  usleep(2);")))  # the line before it
        number = {i: re.search(r"thread (\d+) .*: %d of 4, level 1" % i, parts["threads"])[1]
                  for i in (1, 2, 3)}
        waits = parts["waits"]
        self.assertRegex(waits, r"thread %s .*barrier, for thread 1, thread" % number[3])
        if noted:
            self.assertIn("a circle that cannot end: ", waits)
            self.assertRegex(waits, r"thread %s .*, for thread %s\n" % (number[1], number[2]))
            self.assertRegex(waits, r"thread %s .*, for thread %s\n" % (number[2], number[1]))
        else:
            self.assertIn("its holder is known with OMP_DEBUG=enabled", waits)
            self.assertNotIn("circle", waits)

    def show(self, name, noted, **environment):
        core = os.path.join(self.folder, name)
        driver = core + ".driver"
        with open(driver, "w") as file:
            file.write(DRIVER.replace("CORE", repr(core)))
        words = [word for line in SHOW for word in ("-ex", line)]
        text = self.gdb("-x", driver, *words, "-ex", "kill", self.program, **environment)
        self.check_shown(text, noted)
        self.check_shown(self.gdb(*words, self.program, core), noted)
        os.unlink(core)

    def test_os_threads(self):
        self.show("os", False, NTH_MEMBERS="os")

    def test_nano_threads_with_notes(self):
        """With marks at the ready tasks, too."""
        self.show("nano", True, NTH_MEMBERS="nano", OMP_DEBUG="enabled", NTH_TEST_BRIEF="1")

    def test_without_debug_information(self):
        folder = os.path.join(self.folder, "stripped")
        os.makedirs(folder)
        subprocess.run(["strip", "-g", "-o", os.path.join(folder, "libgomp.so.1"), self.library],
                       check=True)
        text = self.gdb("-ex", "break all_wait", "-ex", "run", "-ex", "nanogomp teams", "-ex",
                        "kill", self.program, library=folder)
        self.assertIn("no debug information of the library", text)

    def test_circles(self):
        """Among them those at the end of more waits than Python calls functions in each other."""
        driver = self.write("circles", CIRCLES)
        text = self.gdb("-x", driver)
        self.assertEqual(re.findall(r"^circles:(.*)", text, re.M),
                         ["", " [999, 1000]", " [3]", " [1, 2] [2, 3]"], text)

    def test_moved_without_end(self):
        self.assertIn("task at 64\n", self.gdb("-x", self.write("moved", MOVED)))

    def test_work_in_a_library_with_a_name_like_the_c_library(self):
        library = self.compile("libcalc.so", CALC, "-fopenmp", "-g", "-O0", "-shared", "-fPIC")
        program = self.compile("calculates", "void calc(void); int main(void) { calc(); }",
                               library, "-Wl,-rpath," + self.folder)
        for members in ("os", "nano"):
            text = self.gdb("-ex", "set breakpoint pending on", "-ex", "break in_task", "-ex",
                            "run", "-ex", "nanogomp threads", "-ex", "kill", program,
                            NTH_MEMBERS=members)
            self.assertRegex(text, r"1 of 2, level 1; works\n")

    def test_without_a_process(self):
        self.assertIn("no process and no core file", self.gdb("-ex", "nanogomp waits"))


if __name__ == "__main__":
    unittest.main()
