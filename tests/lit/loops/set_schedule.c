/* set_schedule.c - omp_set_schedule steers schedule(runtime) */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks every kind and chunk: what was set is read back, loops of long and unsigned long long run
// each iteration once, static deals exactly, bad chunks count as the default.
// RUN: %omp_test
#include "check.h"

enum { TRIPS = 257 };

static int ran[TRIPS];

static void loops(int n, int kind, int chunk) {
#pragma omp parallel num_threads(n)
  {
    int me = omp_get_thread_num();
#pragma omp for schedule(runtime)
    for (long i = 0; i < TRIPS; i++) {
      ran[i]++;
      if (kind == omp_sched_static && chunk > 0)
        CHECK_EQ(me, i / chunk % n);
    }
#pragma omp for schedule(runtime)
    for (unsigned long long i = TRIPS; i > 0; i--)
      ran[i - 1]++;
#pragma omp for schedule(monotonic : runtime)
    for (int i = 0; i < 2 * TRIPS; i += 2)
      ran[i / 2]++;
#pragma omp for schedule(nonmonotonic : runtime)
    for (int i = 0; i < TRIPS; i++)
      ran[i]++;
  }
}

int main(void) {
  static const int kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided,
                              omp_sched_auto};
  static const int chunks[] = {1, 2, 10, 256, 100000};
  int rounds = 0, n = omp_get_max_threads();
  for (int k = 0; k < 4; k++)
    for (int c = 0; c < 5; c++)
      for (int monotonic = 0; monotonic < 2; monotonic++) {
        omp_sched_t want = (omp_sched_t)kinds[k], kind;
        int chunk;
        if (monotonic)
          want |= omp_sched_monotonic;
        omp_set_schedule(want, chunks[c]);
        omp_get_schedule(&kind, &chunk);
        CHECK_EQ(kind & ~(unsigned)omp_sched_monotonic, kinds[k]);
        if (kinds[k] != omp_sched_auto)
          CHECK_EQ(chunk, chunks[c]);
        loops(n, kinds[k], chunks[c]);
        rounds++;
        for (int i = 0; i < TRIPS; i++)
          CHECK_EQ(ran[i], 4 * rounds);
      }
  omp_sched_t kind;
  int chunk;
  for (int bad = -3; bad <= 0; bad++) {
    omp_set_schedule(omp_sched_dynamic, bad);
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ(chunk, 1);
    omp_set_schedule(omp_sched_static, bad);
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ(chunk, 0);
  }
  return 0;
}
