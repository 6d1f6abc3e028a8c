/* inside.h - how many members are in a piece of work at the same time, for the tests of requests */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef INSIDE_H
#define INSIDE_H

#include "check.h"
#include <pthread.h>

int nth_request(int processors); /* nanogomp/nth.h; in the library under test */
#pragma weak nth_request

static int inside_now, inside_most, inside_over;

/* The work of a chunk or task. A member that has no CPU meanwhile counts, too. */
static inline void inside_work(unsigned turns) {
  int n = __atomic_add_fetch(&inside_now, 1, __ATOMIC_RELAXED);
  int most = __atomic_load_n(&inside_most, __ATOMIC_RELAXED);
  while (n > most && !__atomic_compare_exchange_n(&inside_most, &most, n, 0, __ATOMIC_RELAXED,
                                                  __ATOMIC_RELAXED))
    ;
  check_busy(turns);
  __atomic_sub_fetch(&inside_now, 1, __ATOMIC_RELAXED);
}

/* Whether the test is over: then the program leaves its loops. */
static inline int inside_ends(void) { return __atomic_load_n(&inside_over, __ATOMIC_RELAXED); }

/* The most members that were in a piece of work at the same time, in the next 20 ms. */
static inline int inside_look(void) {
  __atomic_store_n(&inside_most, 0, __ATOMIC_RELAXED);
  check_sleep_ms(20);
  return __atomic_load_n(&inside_most, __ATOMIC_RELAXED);
}

/* Until at most `most` are, in four looks of ten: without a request that happens by chance in one
   look now and then. On a busy machine a member that has lost its CPU counts as well as the one
   that runs in its place. A look in which nobody got a CPU does not count. */
static inline void inside_await(int most) {
  int good;
  do {
    good = 0;
    for (int look = 0, n; look < 10; look += n > 0) {
      n = inside_look();
      good += n > 0 && n <= most;
    }
  } while (good < 4);
}
/* Until more are. */
static inline void inside_await_more(int than) {
  while (inside_look() <= than)
    ;
}

#endif
