# predict_records.py - what tests of records have in common: libraries with a recorder, programs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import unittest

import support
from nanogomp_lib import library
from nanogomp_lib import predict_record as recording

HEAD = r"""
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile double sink;
static void spin(int n) {
  double x = 1;
  for (int i = 0; i < n; i++) x = x * 1.0000001 + 1e-9;
  sink = x;
}
"""
TASKS = HEAD + r"""
int main(void) {
  int a = 0, b = 0, total = 0;
  char big[3000];
  for (int i = 0; i < 3000; i++) big[i] = (char)i;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
    for (int i = 0; i < 3; i++) {
#pragma omp task depend(out : a) firstprivate(i)
      { spin(1000 * i); a += i; }
#pragma omp task depend(in : a) depend(inout : b)
#pragma omp atomic
      b += a;
    }
#pragma omp task if (0)
#pragma omp atomic
    b++;
#pragma omp taskwait
#pragma omp task firstprivate(big) shared(total)
    {
      int same = 0;
      for (int i = 0; i < 3000; i++) same += big[i] == (char)i;
#pragma omp atomic
      total += same;
    }
#pragma omp taskgroup
    {
#pragma omp task
#pragma omp task
      spin(10);
    }
#pragma omp taskloop grainsize(10)
    for (int i = 0; i < 100; i++) {
#pragma omp atomic
      total += i;
    }
  }
  printf("%d %d %d\n", a, b, total);
}
"""
MORE = HEAD + r"""
int main(void) {
  int count = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(3)
  {
#pragma omp critical(name)
    count++;
#pragma omp barrier
  }
  printf("%d\n", count);
}
"""
UNEVEN = HEAD + r"""
int main(void) {
  for (int round = 0; round < 20; round++) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 400; i++) spin(i * 40);
  }
}
"""


@unittest.skipUnless(os.path.exists(os.path.join(os.environ.get("NTH_TEST_LIB", ""),
                                                 recording.RECORDER)), "no recorder here")
class Recording(support.ToolTest):
    """Libraries with a recorder beside them."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.gomp = cls.stand_in("gomp")  # the system's, with the recorder beside it
        os.symlink(os.path.join(cls.lib, recording.RECORDER),
                   os.path.join(cls.gomp, recording.RECORDER))

    def libraries(self):
        return [library.Library(folder) for folder in (self.lib, self.gomp)]
