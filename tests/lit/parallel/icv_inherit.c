/* icv_inherit.c - parallel: ICVs are inherited by the region and changes stay inside */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each implicit task starts with a copy of its parent's ICVs, that a member's own
// omp_set_* calls touch neither its neighbours nor the serial part, and that member 0's do not
// come out of the region.
// RUN: %omp_test
#include "check.h"

static void set(int threads, int levels, omp_sched_t kind, int chunk) {
  omp_set_num_threads(threads);
  omp_set_max_active_levels(levels);
  omp_set_schedule(kind, chunk);
}

static void expect(int threads, omp_sched_t kind, int chunk) {
  omp_sched_t k;
  int c;
  omp_get_schedule(&k, &c);
  CHECK_EQ(omp_get_max_threads(), threads);
  CHECK_EQ(k & ~(unsigned)omp_sched_monotonic, kind);
  CHECK_EQ(c, chunk);
}

int main(void) {
  double end = check_seconds() + 1.5;
  for (int round = 0; round < 50 && check_seconds() < end; round++) {
    set(4, 3, omp_sched_guided, 7 + round);
#pragma omp parallel
    {
      int me = omp_get_thread_num();
      CHECK_EQ(omp_get_num_threads(), 4);
      expect(4, omp_sched_guided, 7 + round);
      set(2 + me % 2, 3, omp_sched_dynamic, 20 + me);
#pragma omp barrier
      expect(2 + me % 2, omp_sched_dynamic, 20 + me);
#pragma omp parallel
      {
        CHECK_EQ(omp_get_num_threads(), 2 + me % 2);
        expect(2 + me % 2, omp_sched_dynamic, 20 + me);
        set(1, 3, omp_sched_static, 5);
      }
      expect(2 + me % 2, omp_sched_dynamic, 20 + me);
    }
    expect(4, omp_sched_guided, 7 + round);
#pragma omp parallel num_threads(2)
    expect(4, omp_sched_guided, 7 + round);
  }
  return 0;
}
