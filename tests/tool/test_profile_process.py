#!/usr/bin/env python3
# test_profile_process.py - what `nanogomp profile` tells of the process as a whole
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import glob
import sys
import unittest

import support
from profile_support import ProfileTest, line_of

# A thread that is not the first one opens 10 regions of 10 ms, 5 ms apart. By a first word of the
# command line the first thread has a region of 50 ms behind it, or beside it by a second one.
OTHER_ROOT = r"""
#include <omp.h>
#include <pthread.h>
#include <stddef.h>
static void spin(double ms) {
  double end = omp_get_wtime() + ms / 1000;
  while (omp_get_wtime() < end)
    ;
}
static void *regions(void *unused) {
  for (int i = 0; i < 10; i++) {
#pragma omp parallel num_threads(2)
    spin(10);
    spin(5);
  }
  return unused;
}
static void own(void) {
#pragma omp parallel num_threads(2)
  spin(50);
}
int main(int argc, char **argv) {
  pthread_t thread;
  pthread_create(&thread, NULL, regions, NULL);
  if (argc > 2)
    own();
  pthread_join(thread, NULL);
  if (argc > 1)
    own();
  return argv == NULL;
}
"""

# Two members count for themselves (EACH, 7 of each), or one for both (ONE, 100), ten times each;
# what no region has: 5 behind them. `half` is a double; `late` is registered between regions.
COUNTING = r"""
#include <omp.h>
#include <sde_lib.h>
static long long ticks, late;
static double half;
static void spin(double ms) {
  double end = omp_get_wtime() + ms / 1000;
  while (omp_get_wtime() < end)
    ;
}
static void tick(int times) {
  __atomic_add_fetch(&ticks, times, __ATOMIC_RELAXED);
}
__attribute__((noinline)) static void each(void) {
#pragma omp parallel num_threads(2) /* EACH */
  {
    tick(7);
    spin(2);
  }
}
__attribute__((noinline)) static void one(void) {
#pragma omp parallel num_threads(2) /* ONE */
  {
    if (omp_get_thread_num() == 0)
      tick(100);
    half += 0.5;
    spin(2);
#pragma omp barrier
    spin(2);
  }
}
__attribute__((noinline)) static void nested(void) {
#pragma omp parallel num_threads(2) /* OUTER */
#pragma omp parallel num_threads(2) /* INNER */
  tick(3);
}
int main(void) {
  void *h = papi_sde_init("mine");
  int kind = PAPI_SDE_RO | PAPI_SDE_DELTA;
  papi_sde_register_counter(h, "ticks", kind, PAPI_SDE_long_long, &ticks);
  papi_sde_register_counter(h, "half", kind, PAPI_SDE_double, &half);
  omp_set_max_active_levels(2);
  for (int i = 0; i < 10; i++)
    each();
  papi_sde_register_counter(h, "late", kind, PAPI_SDE_long_long, &late);
  for (int i = 0; i < 10; i++)
    one();
  nested();
  tick(5);
  spin(2);
  return 0;
}
"""

# 100,000 regions of 1 us, with 2 ticks in each: of a part only there is time for a reading. They
# are those of a thread that PAPI does not know yet.
SHORT = r"""
#include <pthread.h>
#include <sde_lib.h>
#include <stddef.h>
static long long ticks;
static void *regions(void *unused) {
  for (int i = 0; i < 100000; i++) {
#pragma omp parallel num_threads(2) /* SHORT */
    __atomic_add_fetch(&ticks, 1, __ATOMIC_RELAXED);
  }
  return unused;
}
int main(void) {
  pthread_t thread;
  papi_sde_register_counter(papi_sde_init("mine"), "ticks", PAPI_SDE_RO | PAPI_SDE_DELTA,
                            PAPI_SDE_long_long, &ticks);
  pthread_create(&thread, NULL, regions, NULL);
  return pthread_join(thread, NULL);
}
"""

# A child of fork() has four regions of 20 ticks, its parent three of 10.
FORKED = r"""
#include <sde_lib.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static long long ticks;
static void region(int n) {
#pragma omp parallel num_threads(2)
  __atomic_add_fetch(&ticks, n, __ATOMIC_RELAXED);
}
int main(void) {
  papi_sde_register_counter(papi_sde_init("mine"), "ticks", PAPI_SDE_RO | PAPI_SDE_DELTA,
                            PAPI_SDE_long_long, &ticks);
  for (int i = 0; i < 3; i++)
    region(5);
  if (fork() == 0) {
    for (int i = 0; i < 4; i++)
      region(10);
    exit(0);
  }
  wait(NULL);
  return 0;
}
"""


class Events(ProfileTest):
    """An event of the process is counted once, not once for each member."""

    def run_it(self, source, *names):
        return self.run_all(source, *names)[0]

    def run_all(self, source, *names):
        flags = ["-rdynamic", "-Wl,--whole-archive", "-l:libsde.a", "-Wl,--no-whole-archive",
                 "-ldl"]
        if not glob.glob("/usr/include/sde_lib.h"):
            self.skipTest("no sde_lib.h (libpapi-dev)")
        try:
            program = self.compile("counting", source, "-fopenmp", "-g", "-pthread",
                                   *flags)
        except AssertionError as error:
            self.skipTest("no program with libsde: %s" % error)
        docs = self.documents("-n", "2", "--papi", ",".join(names), "--", program)
        if not docs[0]["events"][0]["counted"]:
            self.skipTest("this PAPI has no software-defined events: %s" % docs[0]["why"])
        return docs

    def value(self, doc, name, mark):
        return self.row_at(doc, line_of(COUNTING, mark), "region")["events"][name]["value"]

    def test_each_event_once(self):
        ticks = "sde:::mine::ticks"
        doc = self.run_it(COUNTING, ticks, "rusage::CPU-NS")
        self.assertEqual([self.value(doc, ticks, mark) for mark in ("EACH", "ONE", "OUTER")],
                         [140, 1000, 12])
        self.assertIsNone(self.value(doc, ticks, "INNER"))  # its part of OUTER's is not known
        self.assertGreaterEqual(doc["serial_events"][ticks]["value"], 5)
        region = self.row_at(doc, line_of(COUNTING, "ONE"), "region")
        barrier, = (row for row in region["constructs"] if row["kind"] == "barrier")
        self.assertIsNone(barrier["events"][ticks]["value"])
        clock = self.value(doc, "rusage::CPU-NS", "ONE") / 1e9  # of a member: as it was
        self.assertLess(clock, 1.1 * region["work"] + 0.001)
        self.assertGreater(clock, 0.04)

    @support.measured
    def test_short_regions_of_another_thread(self):
        ticks = "sde:::mine::ticks"
        doc = self.run_it(SHORT, ticks)
        event = self.row_at(doc, line_of(SHORT, "SHORT"), "region")["events"][ticks]
        self.assertTrue(event["scaled"])
        self.assertAlmostEqual(event["value"], 200000, delta=2000)

    def test_child_of_fork(self):
        docs = self.run_all(FORKED, "sde:::mine::ticks")
        counts = {bool(doc["parent"]): sum(row["events"]["sde:::mine::ticks"]["value"]
                                           for row in doc["regions"]) for doc in docs}
        self.assertEqual(counts, {False: 30, True: 80})

    def test_what_cannot_be_counted(self):
        names = ["sde:::mine::" + name for name in ("ticks", "none", "half", "late")]
        doc = self.run_it(COUNTING, *names)
        self.assertEqual([event["counted"] for event in doc["events"]], [True] + 3 * [False])
        for name, why in zip(names[1:], ("no library had made such an event",
                                         "its values are floating-point numbers",
                                         "no library had made such an event")):
            self.assertIsNone(self.value(doc, name, "ONE"))
            self.assertEqual([line.startswith("%s: %s" % (name, why)) for line in doc["why"]
                              if line.startswith(name)], [True])


class Roots(ProfileTest):
    """Inside regions is the process while a thread has one open, whichever it is."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.compile("other-root", OTHER_ROOT, "-fopenmp", "-g", "-pthread")

    def run_it(self, *words):
        doc = self.document("-n", "2", "--papi", "none", "--", self.program, *words)
        whole = sum(doc[part] for part in ("startup", "serial", "parallel", "shutdown"))
        self.assertAlmostEqual(whole, doc["wall"], delta=0.02 * doc["wall"])
        self.assertAlmostEqual(doc["serial"] + doc["parallel"], doc["seconds"],
                               delta=0.02 * doc["seconds"])
        return doc

    def sizes(self, doc):
        return sorted(row["size"] for row in doc["regions"])

    def test_regions_of_another_thread(self):
        doc = self.run_it()
        size, = self.sizes(doc)
        self.assertGreaterEqual(doc["parallel"], 0.1)
        self.assertAlmostEqual(doc["parallel"], size, delta=0.01 * size)
        self.assertGreaterEqual(doc["serial"], 0.04)
        first = doc["members"][0]
        self.assertEqual((first["work"], first["wait"]), (0, 0))
        self.assertAlmostEqual(first["idle"], first["life"], delta=0.01 * first["life"])
        self.assertEqual(sum(shares[0] for shares in first["line"]["bins"]), 0)

    def test_regions_of_both_one_after_the_other(self):
        doc = self.run_it("behind")
        sizes = self.sizes(doc)
        self.assertEqual(len(sizes), 2)
        self.assertAlmostEqual(doc["parallel"], sum(sizes), delta=0.01 * sum(sizes))

    def test_regions_of_both_at_once(self):
        """The time in which two are open is not there twice."""
        doc = self.run_it("behind", "beside")
        sizes = self.sizes(doc)
        self.assertLess(doc["parallel"], sum(sizes) - 0.02)
        self.assertGreater(doc["parallel"], max(sizes))
        first = doc["members"][0]
        self.assertGreater(first["work"], 0)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
