/* levels.c - max-active-levels-var, nested and supported levels */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks omp_set/get_max_active_levels with odd values, the deprecated omp_set/get_nested on top
// of it, omp_get_supported_active_levels, and their effect on a nested region.
// RUN: %omp_test
// RUN: env OMP_MAX_ACTIVE_LEVELS=2 %omp_run %t 2
// RUN: env OMP_MAX_ACTIVE_LEVELS=0 %omp_run %t 0
// RUN: env OMP_MAX_ACTIVE_LEVELS=1000 %omp_run %t 255
// RUN: env OMP_NESTED=true %omp_run %t 255
// RUN: env OMP_NESTED=false %omp_run %t 1
// RUN: env OMP_NESTED=true OMP_MAX_ACTIVE_LEVELS=3 %omp_run %t 3
// RUN: env OMP_NUM_THREADS=3,2 %omp_run %t 255
// RUN: env OMP_PROC_BIND=close,spread %omp_run %t 255
#include "check.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static int inner_size(void) {
  int size = 0;
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(3)
#pragma omp atomic write
  size = omp_get_num_threads();
  return size;
}

int main(int argc, char **argv) {
  int initial = argc > 1 ? atoi(argv[1]) : 1;
  CHECK_EQ(omp_get_max_active_levels(), initial);
  CHECK_EQ(omp_get_supported_active_levels(), 255);
  CHECK_EQ(omp_get_nested(), initial > 1);
  CHECK_EQ(inner_size(), initial > 1 || initial == 0 ? (initial ? 3 : 1) : 1);
  for (int levels = 0; levels < 4; levels++) {
    omp_set_max_active_levels(levels);
    CHECK_EQ(omp_get_max_active_levels(), levels);
    CHECK_EQ(inner_size(), levels > 1 ? 3 : 1);
    CHECK_EQ(omp_get_nested(), levels > 1);
  }
  omp_set_max_active_levels(9999);
  CHECK_EQ(omp_get_max_active_levels(), 255);
  omp_set_max_active_levels(-1);
  CHECK_EQ(omp_get_max_active_levels(), 255);
  omp_set_nested(0);
  CHECK_EQ(omp_get_nested(), 0);
  CHECK_EQ(omp_get_max_active_levels(), 1);
  CHECK_EQ(inner_size(), 1);
  omp_set_nested(1);
  CHECK_EQ(omp_get_nested(), 1);
  CHECK_EQ(omp_get_max_active_levels(), 255);
  CHECK_EQ(inner_size(), 3);
  return 0;
}
