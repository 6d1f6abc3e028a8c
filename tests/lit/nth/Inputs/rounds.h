/* rounds.h - nano-threads that note where they run, for the tests of requests */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef ROUNDS_H
#define ROUNDS_H

#include "check.h"
#include <nanogomp/nth.h>

enum { ROUNDS_MOST = 64 };
static long rounds_ran[ROUNDS_MOST]; /* by processor */
static long rounds_met, rounds_here;

static inline void rounds_work(long turns) {
  check_busy((unsigned)turns);
  __atomic_fetch_add(&rounds_ran[nth_processor()], 1, __ATOMIC_RELAXED);
}

/* n nano-threads for each processor; they have ended when it returns. How many have run on
   processors from `from` on. */
static inline long rounds_run(int n, int from) {
  struct nth_desc *me = nth_self();
  long elsewhere = 0, all = 0;
  int processors = nth_processors();
  memset(rounds_ran, 0, sizeof rounds_ran);
  CHECK_EQ(nth_depadd(me, (long)n * processors + 1), 0);
  for (int i = 0; i < n * processors; i++)
    CHECK_EQ(nth_to_lrq(i % processors, nth_create_ls(rounds_work, 0, me, 1, i % 7 * 500L)), 0);
  CHECK_EQ(nth_block(), 0);
  for (int i = 0; i < processors; i++) {
    all += rounds_ran[i];
    elsewhere += i >= from ? rounds_ran[i] : 0;
  }
  CHECK_EQ(all, (long)n * processors);
  return elsewhere;
}

static inline void rounds_meet(void) {
  __atomic_fetch_add(&rounds_here, 1, __ATOMIC_RELAXED);
  CHECK_WAIT_UNTIL(__atomic_load_n(&rounds_here, __ATOMIC_RELAXED) == rounds_met);
}

/* n nano-threads that wait for each other to begin: as many processors run at the same time. */
static inline void rounds_together(int n) {
  struct nth_desc *me = nth_self();
  rounds_met = n;
  rounds_here = 0;
  CHECK_EQ(nth_depadd(me, n + 1), 0);
  for (int i = 0; i < n; i++)
    CHECK_EQ(nth_to_lrq(i % nth_processors(), nth_create_ls(rounds_meet, 0, me, 0)), 0);
  CHECK_EQ(nth_block(), 0);
}

/* Until the processors beyond the request are away. */
static inline void rounds_await(int running) { CHECK_WAIT_UNTIL(nth_running() == running); }

#endif
