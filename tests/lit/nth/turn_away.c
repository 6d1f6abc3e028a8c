/* turn_away.c - a processor has its turns while another one keeps its OS thread */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks, on one CPU, that main goes on when a nano-thread of the other processor has come to run
// on main's OS thread and waits there, outside the runtime, for what main's processor does later.
// nanogomp-only: nano-threads are
// REQUIRES: cpus-0-1
// RUN: %nth_build %s -o %t
// RUN: %omp_run taskset -c 0 %t
// RUN: env NTH_MEMBERS=nano %omp_run taskset -c 0 %t
#include "check.h"
#include <nanogomp/nth.h>

enum { STEPS = 20, TURNS = 10 };
static long flag;
static struct nth_desc *initial;

static void wait_for(long turn) {
  while (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) < turn)
    check_sleep_ms(1);
}

/* So long that the processor gives others their turn after it. */
static void step(long turn, long left) {
  check_sleep_ms(1);
  if (left > 0)
    CHECK_EQ(nth_to_lrq(0, nth_create_ls(step, 0, initial, 2, turn, left - 1)), 0);
  else
    __atomic_store_n(&flag, turn, __ATOMIC_RELEASE);
}

int main(void) {
  CHECK_EQ(nth_init(2), 0);
  initial = nth_self();
  for (long turn = 1; turn <= TURNS; turn++) {
    CHECK_EQ(nth_depadd(initial, STEPS + 3), 0);
    CHECK_EQ(nth_to_lrq(0, nth_create_ls(step, 0, initial, 2, turn, (long)STEPS)), 0);
    CHECK_EQ(nth_to_lrq(1, nth_create_ls(wait_for, 0, initial, 1, turn)), 0);
    CHECK_EQ(nth_block(), 0);
    CHECK_EQ(flag, turn);
  }
  return 0;
}
