/* barrier.c - barrier: nobody passes before all have come */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks up to 100,000 explicit barriers with a phase counter per member: after barrier p every
// member reads phase p of all others; and that plain writes before it are seen after it.
// RUN: %omp_test
#include "check.h"

enum { MOST = 64 };

struct line {
  long phase, plain, pad[6];
};

static struct line line[MOST];

int main(void) {
  long rounds = CHECK_TIMES(100000), done = 0;
  double end = check_seconds() + 2.5;
  bool stop = false;
  int n = omp_get_max_threads();
  CHECK(n <= MOST);
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    for (long p = 1; p <= rounds; p++) {
      line[me].plain = p + me;
      __atomic_store_n(&line[me].phase, p, __ATOMIC_RELAXED);
      if (me == 0 && p % 64 == 0) {
        stop = check_seconds() > end;
        done = p;
      }
#pragma omp barrier
      for (int other = 0; other < n; other++) {
        long phase = __atomic_load_n(&line[other].phase, __ATOMIC_RELAXED);
        CHECK(phase == p || phase == p + 1);
      }
      int next = (me + 1) % n;
      if (p % 2 == 0) {
        CHECK_EQ(line[next].plain, p + next);
#pragma omp barrier
      }
      if (p % 64 == 0 && stop)
        break;
    }
  }
  CHECK(done > 0);
  return 0;
}
