/* slow_wakes.c - created threads where a call that wakes a thread takes long, as under a tracer */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the held threads that run or look take the created ones along, up to some 0.4 calls
// of futex for each. A held thread that slept again at each creation would cost two. And that a
// created thread which was left to those that run starts nevertheless if one of them waits for it
// in a way that the runtime does not see, also where idle threads end soon.
// REQUIRES: nanogomp, base
// UNSUPPORTED: emulated
// RUN: %th_build %s -o %t && %omp_run %t && %omp_run %t pairs
// RUN: %python %S/../support/count_calls.py futex 8000 %library %t
// RUN: %python %S/../support/count_calls.py futex 1000000 %library %t pairs
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

static void crowd(int threads) {
  static tholder_t thread[THREADS];
  static int number[THREADS];
  for (int i = 0; i < threads; i++) {
    number[i] = 0;
    thread[i] = th_start(adds, &number[i]);
  }
  for (int i = 0; i < threads; i++)
    CHECK(th_result(thread[i]) == &number[i] && number[i] == 1);
}

/* idle_ns: after which an idle thread ends; 0: as learned. */
static void pairs(int64_t idle_ns) {
  CHECK(tholder_config(THOLDER_IDLE_NS, idle_ns) == 0);
  for (int i = 0; i < PAIRS; i++) {
    crowd(50); /* leaves idle threads */
    flag = ended = 0;
    tholder_t one = th_start(waits, &flag), other = th_start(raises, &flag);
    while (__atomic_load_n(&ended, __ATOMIC_ACQUIRE) == 0)
      sched_yield();
    CHECK(th_result(one) == &flag && th_result(other) == &flag);
  }
}

int main(int argc, char **argv) {
  (void)argv;
  for (int round = 0; round < ROUNDS; round++)
    crowd(THREADS);
  if (argc > 1) {
    pairs(0);
    pairs(5000000);
  }
  return 0;
}
