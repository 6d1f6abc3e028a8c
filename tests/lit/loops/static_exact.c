/* static_exact.c - static schedules: which member gets which iteration */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that static without chunk gives each member one contiguous block, sizes differing by at
// most one, lower members first, and that static with chunk deals chunks round-robin; compiled
// open-coded, through schedule(runtime) and through GOMP_loop_static_start. All must agree.
// RUN: %omp_test
#include "check.h"
#include "gomp_loops.h"

enum { MOST = 500 };

static int owner[3][MOST];

static int block_owner(int i, int trips, int n) {
  int small = trips / n, larger = trips % n, edge = larger * (small + 1);
  return i < edge ? i / (small + 1) : larger + (i - edge) / small;
}

static void fill(int trips, int chunk) {
  int me = omp_get_thread_num();
  if (chunk == 0) {
#pragma omp for schedule(static)
    for (int i = 0; i < trips; i++)
      owner[0][i] = me;
  } else {
#pragma omp for schedule(static, chunk)
    for (int i = 0; i < trips; i++)
      owner[0][i] = me;
  }
#pragma omp for schedule(runtime)
  for (int i = 0; i < trips; i++)
    owner[1][i] = me;
  long a, b;
  for (bool more = GOMP_loop_static_start(0, trips, 1, chunk, &a, &b); more;
       more = GOMP_loop_static_next(&a, &b))
    for (long i = a; i < b; i++)
      owner[2][i] = me;
  GOMP_loop_end();
}

int main(void) {
  static const int trips[] = {0, 1, 2, 7, 16, 100, 499}, chunks[] = {0, 1, 3, 16, 1000};
  for (unsigned t = 0; t < 7; t++)
    for (unsigned c = 0; c < 5; c++)
      for (int n = 1; n < 8; n += 2) {
        memset(owner, -1, sizeof owner);
        omp_set_schedule(omp_sched_static, chunks[c]);
#pragma omp parallel num_threads(n)
        fill(trips[t], chunks[c]);
        for (int way = 0; way < 3; way++)
          for (int i = 0; i < MOST; i++) {
            int want = i >= trips[t]    ? -1
                       : chunks[c] == 0 ? block_owner(i, trips[t], n)
                                        : i / chunks[c] % n;
            if (owner[way][i] != want)
              fprintf(stderr, "way %d, %d trips, chunk %d, %d members, i %d\n", way, trips[t],
                      chunks[c], n, i);
            CHECK_EQ(owner[way][i], want);
          }
      }
  return 0;
}
