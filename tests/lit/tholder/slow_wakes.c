/* slow_wakes.c - created threads where a call that wakes a thread takes long, as under a tracer */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the held threads that run or look take the created ones along, up to some 0.4 calls
// of futex for each. A held thread that slept again at each creation would cost two. And that a
// created thread which was left to those that run starts nevertheless if one of them waits for it
// in a way that the runtime does not see.
// REQUIRES: nanogomp, base
// UNSUPPORTED: emulated
// RUN: %th_build %s -o %t && %omp_run %t && %python %S/Inputs/count_futex.py 8000 %t %library
#include "names.h"
#include <sched.h>

enum { ROUNDS = 20, THREADS = 1000, PAIRS = 50 };

static void *adds(void *argument) {
  ++*(int *)argument;
  return argument;
}

static int flag, ended;

static void *waits(void *argument) {
  while (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 0)
    sched_yield();
  __atomic_store_n(&ended, 1, __ATOMIC_RELEASE);
  return argument;
}

static void *raises(void *argument) {
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
  return argument;
}

static void pairs(void) {
  for (int i = 0; i < PAIRS; i++) {
    flag = ended = 0;
    tholder_t one = th_start(waits, &flag), other = th_start(raises, &flag);
    while (__atomic_load_n(&ended, __ATOMIC_ACQUIRE) == 0)
      sched_yield();
    CHECK(th_result(one) == &flag && th_result(other) == &flag);
  }
}

int main(void) {
  static tholder_t thread[THREADS];
  static int number[THREADS];
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < THREADS; i++)
      thread[i] = th_start(adds, &number[i]);
    for (int i = 0; i < THREADS; i++)
      CHECK(th_result(thread[i]) == &number[i]);
  }
  for (int i = 0; i < THREADS; i++)
    CHECK(number[i] == ROUNDS);
  pairs();
  return 0;
}
