#!/usr/bin/env python3
# test_profile_process.py - what `nanogomp profile` tells of the process as a whole
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sys
import unittest

from profile_support import ProfileTest

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
