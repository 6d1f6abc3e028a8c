/* exit.c - exit() inside a nano-thread */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a nano-thread on any processor may end the program, while others run, are queued and
// are blocked, and that the handlers run and the status is the program's.
// RUN: %nth_build %s -o %t && %omp_run --status 5 %t
// RUN: %omp_run --status 5 %t beside
// RUN: %omp_run --status 5 %t other
#include "check.h"
#include <nanogomp/nth.h>

static long started;
static _Bool over;

static void in_the_end(void) {
  char big[20000]; /* it runs on the nano-thread's stack */
  memset(big, 1, sizeof big);
  CHECK_EQ(big[started % 20000], 1);
  CHECK(nth_self());
  __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
  fflush(stdout);
  _exit(5);
}

static void ends(void) { exit(1); }

static void ends_beside(void) {
  struct nth_desc *self = nth_self();
  CHECK_EQ(nth_depadd(self, 2), 0);
  CHECK_EQ(nth_to_lrq(nth_processor(), nth_create_ls(ends, 0, self, 0)), 0);
  CHECK_EQ(nth_block(), 0);
}

static void busy(void) {
  __atomic_fetch_add(&started, 1, __ATOMIC_RELAXED);
  check_sleep_ms(1);
}

int main(int argc, char **argv) {
  bool other = argc > 1 && strcmp(argv[1], "other") == 0, beside = argc > 1 && !other;
  CHECK_EQ(nth_init(0), 0);
  CHECK_EQ(atexit(in_the_end), 0);
  int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum++;
  CHECK_EQ(sum, 2);
  struct nth_desc *me = nth_self();
  CHECK_EQ(nth_depadd(me, 3000), 0);
  for (int i = 0; i < 500; i++)
    CHECK_EQ(nth_to_lrq_end(i % nth_processors(), nth_create_ls(busy, 0, me, 0)), 0);
  CHECK_EQ(nth_to_lrq(other ? nth_processors() - 1 : 0,
                      nth_create_ls(beside ? ends_beside : ends, 0, me, 0)),
           0);
  nth_block();
  CHECK(false);
  return 0;
}
