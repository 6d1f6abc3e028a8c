#!/usr/bin/env python3
# test_profile_trouble.py - `nanogomp profile` of programs with odd stacks, children and mappings
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import signal
import sys
import unittest

import support
from profile_support import ProfileTest, line_of

from nanogomp_lib import profile_raw  # noqa: E402  (support has set the path)

# A function whose frame was large twice, and is small then: where the caller's address was, seen
# from the frame, there is a guard page now, or nothing.
FRAMES = r"""
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
__attribute__((noinline)) static void region(int bytes) {
  volatile char frame[bytes];
  frame[0] = frame[bytes - 1] = 1;
#pragma omp parallel num_threads(1)
  frame[0]++;
}
static void *thread(void *unused) {
  int sizes[] = {6000, 6000, 8, 8};
  for (int i = 0; i < 4; i++)
    region(sizes[i]);
  return unused;
}
int main(int argc, char **argv) {
  enum { STACK = 1 << 18, GUARD = 1 << 16 };
  int bytes = atoi(argv[argc - 1]);
  for (int i = 0; i < 4; i++)
    region(i < 2 ? bytes : 8);
  char *memory = mmap(0, STACK + GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mprotect(memory, STACK, PROT_READ | PROT_WRITE))
    return 1;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, memory, STACK);
  pthread_t t;
  return pthread_create(&t, &attributes, thread, 0) || pthread_join(t, 0);
}
"""

# Two regions whose functions' frames are of different sizes, one after the other.
DEPTHS = r"""
#include <stdlib.h>
static volatile int sink;
#define REGION(name, caller, bytes)                                                                \
  __attribute__((noinline)) static void name(void) {                                               \
    _Pragma("omp parallel num_threads(1)") sink++;                                                 \
  }                                                                                                \
  __attribute__((noinline)) static void caller(int at) {                                           \
    volatile char frame[bytes];                                                                    \
    frame[at] = 1;                                                                                 \
    name();                                                                                        \
    frame[at] = 2;                                                                                 \
  }
REGION(shallow, from_shallow, 100)
REGION(deep, from_deep, 900)
int main(void) {
  for (int i = 0; i < 60000; i++) {
    from_shallow(3);
    from_deep(3);
  }
  return 0;
}
"""

# After its fork() the parent has more regions than a page has records for, then the child has one:
# by a thread of its own if there is a word on the command line.
CHILD = r"""
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void spin(double ms) {
  double end = omp_get_wtime() + ms / 1000;
  while (omp_get_wtime() < end)
    ;
}
#define REGION(n)                                                                                  \
  static void r##n(void) {                                                                         \
    _Pragma("omp parallel num_threads(1)") spin(0.1);                                              \
  }
#define TEN(what, n)                                                                               \
  what(n##0) what(n##1) what(n##2) what(n##3) what(n##4) what(n##5) what(n##6) what(n##7)          \
  what(n##8) what(n##9)
#define CALL(n) r##n();
TEN(REGION, 1) TEN(REGION, 2) TEN(REGION, 3) TEN(REGION, 4) TEN(REGION, 5) TEN(REGION, 6)
static void *child(void *unused) {
#pragma omp parallel num_threads(2)
  spin(30);
  return unused;
}
int main(int argc, char **argv) {
  (void)argv;
  int ends[2];
  if (pipe(ends))
    return 1;
  if (fork() == 0) {
    char byte;
    close(ends[1]);
    if (read(ends[0], &byte, 1) != 0)
      return 1;
    pthread_t t;
    if (argc == 1)
      child(0);
    else if (pthread_create(&t, 0, child, 0) || pthread_join(t, 0))
      return 1;
    exit(0);
  }
  TEN(CALL, 1) TEN(CALL, 2) TEN(CALL, 3) TEN(CALL, 4) TEN(CALL, 5) TEN(CALL, 6)
  close(ends[1]);
  wait(0);
  return 0;
}
"""

# So many mappings of code that their list is longer than a part of the profile's file.
MAPPINGS = r"""
#include <sys/mman.h>
int main(void) {
  enum { PAGE = 4096, PAGES = 12000 };
  char *memory = mmap(0, PAGES * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < PAGES; i += 2)
    if (mprotect(memory + i * PAGE, PAGE, PROT_READ | PROT_EXEC))
      return 1;
#pragma omp parallel num_threads(2)
  __asm__ volatile("");
  return 0;
}
"""

# 200 regions of one place, then one of another in which the process ends after 60 ms. By a first
# word of the command line each of the last 100 is followed by one of a third place; by a second
# word there is no last one, and the regions do nothing; by a third one there is, which the slave
# leaves before the end.
SLAVES = r"""
#include <omp.h>
#include <signal.h>
static void spin(double ms) {
  double end = omp_get_wtime() + ms / 1000;
  while (omp_get_wtime() < end)
    ;
}
int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < 200; i++) {
#pragma omp parallel num_threads(2) /* MANY */
    spin(argc > 2 ? 0 : 0.05);
    if (argc > 1 && i >= 100)
#pragma omp parallel num_threads(2) /* BETWEEN */
      spin(argc > 2 ? 0 : 0.05);
  }
  if (argc == 3)
    return 0;
#pragma omp parallel num_threads(2) /* LAST */
  {
    int slave = omp_get_thread_num() == 1;
    spin(slave && argc > 3 ? 60 : slave ? 10000 : argc > 3 ? 100 : 60);
    if (!slave)
      raise(SIGKILL);
  }
  return 0;
}
"""

# The master opens an inner region at once; a slave of the outer one ends the process after 60 ms.
NESTED = r"""
#include <omp.h>
#include <stdlib.h>
static void spin(double ms) {
  double end = omp_get_wtime() + ms / 1000;
  while (omp_get_wtime() < end)
    ;
}
int main(void) {
#pragma omp parallel num_threads(3) /* OUTER */
  if (omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(2) /* INNER */
    spin(400);
  } else {
    spin(60);
    if (omp_get_thread_num() == 2)
      exit(3);
    spin(400);
  }
  return 0;
}
"""


class Stacks(ProfileTest):
    def test_frames_of_changing_size(self):
        """The place of the last caller's address is read only where there is a stack."""
        program = self.compile("frames", FRAMES, "-O1", "-fopenmp", "-pthread")
        for size in (4000, 8000, 12000, 14000):
            doc = self.document("--papi", "none", "--", program, str(size))
            self.assertEqual(sum(row["units"] for row in doc["regions"]), 8)


    def test_regions_at_two_depths(self):
        """The unwinder is asked for each once: more often, and it would not be asked at the end."""
        program = self.compile("depths", DEPTHS, "-O1", "-fopenmp")
        doc = self.document("--papi", "none", "--", program)
        self.assertEqual([row["units"] for row in doc["regions"]], [60000, 60000])


class Slaves(ProfileTest):
    """What a slave does without an event is that region's, also where it is not over."""

    def check(self, *words):
        program = self.compile("slaves", SLAVES, "-O1", "-g", "-fopenmp")
        doc = self.document("--papi", "none", "--", program, *words, status=-signal.SIGKILL)
        many, last = (self.row_at(doc, line_of(SLAVES, mark), "region")
                      for mark in ("MANY", "LAST"))
        self.assertEqual((many["units"], many["count"]), (200, 400))
        self.assertEqual((last["units"], last["count"], last["open"]), (1, 2, 1))
        self.assertGreaterEqual(many["work"], 400 * 0.00005)
        self.assertGreaterEqual(last["work"], 2 * 0.055)
        self.assertLess(many["work"], doc["seconds"] * 2 - last["work"])
        for member in doc["members"]:
            self.assertAlmostEqual(member["explained"], 1, delta=0.01)
        return doc

    def test_killed_in_another_region(self):
        self.check()

    def test_regions_of_two_places_in_turn(self):
        between = self.row_at(self.check("both"), line_of(SLAVES, "BETWEEN"), "region")
        self.assertEqual((between["units"], between["count"]), (100, 200))
        self.assertGreaterEqual(between["work"], 200 * 0.00005)

    @support.measured
    def test_master_that_is_in_an_inner_region(self):
        """Its slaves are in the outer one, also where they came when the inner one was open."""
        program = self.compile("nested", NESTED, "-O1", "-g", "-fopenmp")
        doc = self.document("--papi", "none", "--", program, status=3,
                            env={"OMP_MAX_ACTIVE_LEVELS": "2"})
        outer, inner = (self.row_at(doc, line_of(NESTED, mark), "region")
                        for mark in ("OUTER", "INNER"))
        self.assertEqual((outer["count"], inner["count"]), (3, 2))
        self.assertGreaterEqual(outer["work"], 2 * 0.055)
        self.assertLess(inner["work"], doc["seconds"] * 2)

    def test_end_that_nobody_saw(self):
        """The end is not before what a slave did without an event."""
        program = self.compile("slaves", SLAVES, "-O1", "-g", "-fopenmp")
        folder = os.path.join(self.folder, "unseen")
        os.makedirs(folder)
        self.nanogomp_run("--", program, "joins", "before", "it", env={
            "OMP_TOOL_LIBRARIES": os.path.join(self.lib, "libnanogomp-profile.so"),
            "NTH_PROFILE_DIR": folder})
        name, = os.listdir(folder)
        found = profile_raw.Profile(os.path.join(folder, name))
        for member in found.members.values():
            told = sum(sum(cell.times) for cell in member.cells)
            self.assertAlmostEqual(told, member.life, delta=0.01 * member.life)
        slave = max(found.members)
        last = max(node.number for node in found.nodes.values() if node.kind == "region")
        self.assertGreaterEqual(sum(cell.times[0] for cell in found.members[slave].cells
                                    if cell.node.number == last), 0.055)

    def test_events_of_regions_in_turn(self):
        """Also where each time another one follows, a slave's events are counted in each."""
        program = self.compile("slaves", SLAVES, "-O1", "-g", "-fopenmp")
        folder = os.path.join(self.folder, "turn")
        self.document("--papi", "context-switches", "--keep", folder, "--", program, "both", "end")
        name, = (one for one in os.listdir(folder) if one.endswith(".nthprof"))
        found = profile_raw.Profile(os.path.join(folder, name))
        samples = [cell.samples for node in found.nodes.values() if node.kind == "region"
                   for cell in node.cells]
        self.assertEqual(len(samples), 4)
        self.assertGreaterEqual(min(samples), 4)


class Children(ProfileTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.compile("child", CHILD, "-fopenmp", "-pthread")

    def child_of(self, *words):
        docs = self.documents("-n", "2", "--papi", "none", "--", self.program, *words)
        self.assertEqual(len(docs), 2)
        return next(doc for doc in docs if doc["parent"])

    def check(self, doc, members):
        self.assertEqual(len(doc["members"]), members)
        for member in doc["members"]:
            self.assertEqual(member["threads"], 1)
            self.assertAlmostEqual(member["explained"], 1, delta=0.01)
        row, = doc["regions"]
        self.assertEqual(row["units"], 1)
        self.assertGreater(row["size"], 0.029)

    def test_nothing_of_the_parent(self):
        """What the parent has written since the fork is not the child's."""
        self.check(self.child_of(), 2)

    def test_regions_of_the_childs_thread(self):
        """The thread that called fork() has none."""
        self.check(self.child_of("thread"), 3)


class Mappings(ProfileTest):
    def test_long_list(self):
        program = self.compile("mappings", MAPPINGS, "-fopenmp", "-g")
        doc = self.document("-n", "2", "--papi", "none", "--", program)
        self.assertEqual(doc["lost"], 0)
        row, = doc["regions"]
        self.assertEqual(os.path.basename(row["site"]["file"]), "mappings.c")


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
