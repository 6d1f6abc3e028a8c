/* copyin.c - copyin: threadprivate values are taken from the master at the fork */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks scalars, arrays and structs under copyin at many team sizes, also in nested regions,
// where the value comes from the inner team's master.
// RUN: %omp_test
#include "check.h"

struct record {
  int id;
  double value[9];
};

static int scalar;
static char text[33];
static struct record record;
#pragma omp threadprivate(scalar, text, record)

static void compare(int i) {
  CHECK_EQ(scalar, i);
  CHECK_EQ(record.id, -i);
  for (int k = 0; k < 9; k++)
    CHECK(record.value[k] == i + 0.5 * k);
  for (int k = 0; k < 33; k++)
    CHECK_EQ(text[k], 'a' + (i + k) % 26);
}

int main(void) {
  double end = check_seconds() + 1.5;
  for (int i = 0; i < 300 && check_seconds() < end; i++) {
    scalar = i;
    record.id = -i;
    for (int k = 0; k < 9; k++)
      record.value[k] = i + 0.5 * k;
    for (int k = 0; k < 33; k++)
      text[k] = (char)('a' + (i + k) % 26);
#pragma omp parallel copyin(scalar, text, record) num_threads(1 + i % 7)
    {
      compare(i);
#pragma omp barrier
      scalar = record.id = -5;
      memset(text, 0, sizeof text);
    }
  }
  omp_set_max_active_levels(2);
  for (int i = 0; i < 20; i++) {
#pragma omp parallel num_threads(3)
    {
      int outer = omp_get_thread_num();
      scalar = 10 * i + outer;
#pragma omp parallel num_threads(2) copyin(scalar)
      CHECK_EQ(scalar, 10 * i + outer);
    }
  }
  return 0;
}
