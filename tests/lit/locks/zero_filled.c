/* zero_filled.c - locks that were never initialised but lie in zeroed memory */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that zero-filled simple and nestable locks are free, work under contention without any
// init call, and that a great array of locks can be initialised and used.
// RUN: %omp_test
#include "check.h"

enum { LOCKS = 2000000 };

static omp_lock_t simple;
static omp_nest_lock_t nestable;

int main(void) {
  long rounds = CHECK_TIMES(10000), a = 0, b = 0, n = omp_get_max_threads();
  omp_lock_t *array = calloc(LOCKS, sizeof *array);
#pragma omp parallel
  {
    for (long i = 0; i < rounds; i++) {
      omp_set_lock(&simple);
      check_count_alone(&a, i);
      omp_unset_lock(&simple);
      omp_set_nest_lock(&nestable);
      omp_set_nest_lock(&nestable);
      check_count_alone(&b, i + 30);
      omp_unset_nest_lock(&nestable);
      omp_unset_nest_lock(&nestable);
    }
#pragma omp for
    for (int l = 0; l < LOCKS; l += 1000) {
      CHECK_EQ(omp_test_lock(&array[l]), 1);
      CHECK_EQ(omp_test_lock(&array[l]), 0);
      omp_unset_lock(&array[l]);
    }
#pragma omp for
    for (int l = 0; l < LOCKS; l++)
      omp_init_lock(&array[l]);
  }
  CHECK_EQ(a, rounds * n);
  CHECK_EQ(b, rounds * n);
  for (int l = 0; l < LOCKS; l += 777) {
    CHECK_EQ(omp_test_lock(&array[l]), 1);
    omp_unset_lock(&array[l]);
    omp_destroy_lock(&array[l]);
  }
  free(array);
  return 0;
}
