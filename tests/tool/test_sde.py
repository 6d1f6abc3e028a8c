#!/usr/bin/env python3
# test_sde.py - the library's counters as PAPI's software-defined events
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import subprocess
import unittest

import support

PROGRAM = r"""
#include <papi.h>
#include <stdio.h>
enum { REGIONS = 12 };
int main(void) {
  int set = PAPI_NULL, error;
  long long counts[2] = {-1, -1};
  if (PAPI_library_init(PAPI_VER_CURRENT) < 0 || PAPI_create_eventset(&set) != PAPI_OK)
    return 77;
  if ((error = PAPI_add_named_event(set, "sde:::nanogomp::regions")) != PAPI_OK ||
      (error = PAPI_add_named_event(set, "sde:::nanogomp::regions_one")) != PAPI_OK ||
      (error = PAPI_start(set)) != PAPI_OK) {
    printf("%s\n", PAPI_strerror(error));
    return PAPI_get_component_index("sde") < 0 ? 77 : 1;
  }
  for (int i = 0; i < REGIONS; i++) {
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
#pragma omp parallel num_threads(1)
    __asm__ volatile("");
#pragma omp parallel num_threads(1)
    __asm__ volatile("");
  }
  PAPI_stop(set, counts);
  printf("%lld %lld\n", counts[0], counts[1]);
  return 0;
}
"""


class Sde(support.ToolTest):
    def run_program(self, source, *flags):
        try:
            program = self.compile("sde", source, "-fopenmp", *flags)
        except (AssertionError, subprocess.CalledProcessError):
            self.skipTest("no PAPI to compile with (libpapi-dev)")
        made = dict(os.environ, LD_LIBRARY_PATH=self.lib)
        return subprocess.run([program], env=made, stdout=subprocess.PIPE, text=True)

    def test_events_of_regions(self):
        if not os.environ.get("NTH_TEST_LIB"):
            self.skipTest("the system's libgomp has no counters")
        done = self.run_program(PROGRAM, "-lpapi", "-Wl,--no-as-needed", "-lsde")
        if done.returncode == 77:
            self.skipTest("PAPI has no component sde: " + done.stdout)
        self.assertEqual((done.returncode, done.stdout), (0, "12 24\n"))


if __name__ == "__main__":
    unittest.main()
