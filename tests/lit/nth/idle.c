/* idle.c - processors without nano-threads sleep, and wake up */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that idle processors use no CPU time after a while, and that nano-threads queued then
// start, one by one and in batches, for a given processor and from any thread.
// RUN: %nth_test
#include "check.h"
#include <nanogomp/nth.h>
#include <pthread.h>

static long ran;
static void count(void) { __atomic_fetch_add(&ran, 1, __ATOMIC_RELEASE); }

static void wake_one(int which, long pause_ms) {
  long before = ran;
  check_sleep_ms(pause_ms);
  CHECK_EQ(nth_to_lrq(which, nth_create_ls(count, 0, NULL, 0)), 0);
  CHECK_WAIT_UNTIL(__atomic_load_n(&ran, __ATOMIC_ACQUIRE) == before + 1);
}

static void wake_many(long n) {
  struct nth_desc *last, *first = nth_batch_get_desc(&last, n);
  long before = ran;
  for (struct nth_desc *d = first; d; d = nth_batch_get_next(d))
    nth_batch_create_ls(d, count, 0, NULL, 0);
  CHECK_EQ(nth_batch_to_lrq(nth_processors() - 1, first, last), 0);
  CHECK_WAIT_UNTIL(__atomic_load_n(&ran, __ATOMIC_ACQUIRE) == before + n);
}

static void *outside(void *arg) {
  for (int i = 0; i < 20; i++)
    wake_one(i % nth_processors(), i % 4);
  return arg;
}

int main(void) {
  int n = omp_get_max_threads() > 1 ? omp_get_max_threads() : 2;
  const char *policy = getenv("OMP_WAIT_POLICY");
  CHECK_EQ(nth_init(n), 0);
  for (int i = 0; i < 60; i++) /* main does not work: the others take what is processor 0's, too */
    wake_one(i % n, i % 3 * 8);
  for (int i = 0; i < 20; i++) {
    wake_many(1 + i * 5);
    check_sleep_ms(i % 3);
  }
  pthread_t t;
  CHECK_EQ(pthread_create(&t, NULL, outside, NULL), 0);
  pthread_join(t, NULL);
  if (!policy || strcmp(policy, "active") != 0) {
    check_sleep_ms(100); /* what they may spin for */
    double before = check_cpu_seconds();
    check_sleep_ms(300);
    CHECK(check_cpu_seconds() - before < 0.05);
  }
  CHECK_EQ(nth_exit(), 0);
  return 0;
}
