/* main_kept_out.c - main goes on after nth_block() and regions though its OS thread is taken */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks, on one CPU, that main goes on when a nano-thread of the other processor has come to run
// on main's OS thread and waits there, outside the runtime, for what main does after nth_block(),
// after a region, or with a lock that it gets.
// nanogomp-only: nano-threads are
// REQUIRES: cpus-0-1
// RUN: %nth_build %s -o %t
// RUN: %omp_run taskset -c 0 %t
// RUN: env NTH_MEMBERS=nano %omp_run taskset -c 0 %t
#include "check.h"
#include <nanogomp/nth.h>
#include <omp.h>

enum { TURNS = 5 };
static long flag, waits;
static omp_lock_t lock;

static void wait_for(long turn) {
  __atomic_store_n(&waits, turn, __ATOMIC_RELEASE);
  while (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) < turn)
    check_sleep_ms(1);
}
static void hold_lock(long turn) {
  omp_set_lock(&lock);
  check_sleep_ms(30);
  omp_unset_lock(&lock);
  wait_for(turn);
}
static void sleeps(void) { check_sleep_ms(1); }

static void start(int processor, struct nth_desc *d) { CHECK_EQ(nth_to_lrq(processor, d), 0); }

/* Main is away from its OS thread, or was, and a nano-thread waits there for `turn`. */
static void leave_main_out(long turn) {
  struct nth_desc *initial = nth_self();
  CHECK_EQ(nth_depadd(initial, 2), 0);
  start(1, nth_create_ls(wait_for, 0, 0, 1, turn));
  start(0, nth_create_ls(sleeps, 0, initial, 0));
  start(0, nth_create_ls(sleeps, 0, initial, 0));
  CHECK_EQ(nth_block(), 0);
}

int main(void) {
  long turn = 0;
  omp_init_lock(&lock);
  CHECK_EQ(nth_init(2), 0);
  for (int i = 0; i < TURNS; i++) {
    leave_main_out(++turn);
    __atomic_store_n(&flag, turn, __ATOMIC_RELEASE);

    leave_main_out(++turn);
#pragma omp parallel num_threads(2)
    sleeps();
    __atomic_store_n(&flag, turn, __ATOMIC_RELEASE);

    start(1, nth_create_ls(hold_lock, 0, 0, 1, ++turn));
    CHECK_WAIT_UNTIL(!omp_test_lock(&lock) || (omp_unset_lock(&lock), 0));
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
    CHECK_WAIT_UNTIL(__atomic_load_n(&waits, __ATOMIC_ACQUIRE) == turn);
    __atomic_store_n(&flag, turn, __ATOMIC_RELEASE);
  }
  CHECK_WAIT_UNTIL(nth_exit() == 0);
  omp_destroy_lock(&lock);
  return 0;
}
