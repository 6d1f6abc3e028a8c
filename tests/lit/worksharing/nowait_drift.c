/* nowait_drift.c - nowait: members that drift apart keep their constructs apart */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks chains of nowait loops of mixed schedules and types while members pause at random places:
// every iteration of every loop runs once though many loops are open at the same time.
// RUN: %omp_test
#include "check.h"

enum { CHAIN = 300, TRIPS = 23 };

static int ran[CHAIN][TRIPS];

static void step(int c) {
  switch (c % 6) {
  case 0:
#pragma omp for schedule(dynamic, 2) nowait
    for (int i = 0; i < TRIPS; i++)
      ran[c][i]++;
    break;
  case 1:
#pragma omp for schedule(guided) nowait
    for (long i = TRIPS - 1; i >= 0; i--)
      ran[c][i]++;
    break;
  case 2:
#pragma omp for schedule(monotonic : dynamic, 5) nowait
    for (unsigned long long i = 1; i < 1 + 4 * TRIPS; i += 4)
      ran[c][i / 4]++;
    break;
  case 3:
#pragma omp for schedule(runtime) nowait
    for (int i = 0; i < TRIPS; i++)
      ran[c][i]++;
    break;
  case 4:
#pragma omp single nowait
    for (int i = 0; i < TRIPS; i++)
      ran[c][i]++;
    break;
  default:
#pragma omp for schedule(static, 3) nowait
    for (int i = 0; i < TRIPS; i++)
      ran[c][i]++;
  }
}

int main(void) {
  for (int round = 0; round < CHECK_TIMES(30); round++) {
#pragma omp parallel
    {
      uint64_t state = (uint64_t)(round * 100 + omp_get_thread_num());
      for (int c = 0; c < CHAIN; c++) {
        step(c);
        uint32_t draw = check_random(&state);
        if (draw % 8 == 0)
          check_busy(draw % 5000);
        if (draw % 512 == 0)
          check_sleep_ms(1);
      }
    }
    for (int c = 0; c < CHAIN; c++)
      for (int i = 0; i < TRIPS; i++)
        CHECK_EQ(ran[c][i], 1);
    memset(ran, 0, sizeof ran);
  }
  return 0;
}
