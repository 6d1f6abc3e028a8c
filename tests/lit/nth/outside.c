/* outside.c - threads of the program's own use nano-threads */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that threads which are no processors create nano-threads and batches, queue them and wait
// for them, awake and asleep, beside each other and beside the initial thread, and may end and
// begin anew.
// RUN: %nth_test
#include "check.h"
#include <errno.h>
#include <nanogomp/nth.h>
#include <pthread.h>

enum { THREADS = 4 };

static void add(long *sum, long i) { __atomic_fetch_add(sum, i, __ATOMIC_RELAXED); }
static void late(long *sum, long i) {
  check_sleep_ms(20); /* long enough for who waits to fall asleep */
  add(sum, i);
}

static void batches(long n, long size) {
  struct nth_desc *me = nth_self(), *last;
  long sum = 0;
  CHECK_EQ(nth_depadd(me, n * size + 1), 0);
  for (long i = 0; i < n; i++) {
    struct nth_desc *first = nth_batch_get_desc(&last, size);
    CHECK(first);
    for (struct nth_desc *d = first; d; d = nth_batch_get_next(d))
      CHECK_EQ(nth_batch_create_ls(d, add, 0, me, 2, &sum, 1L), 0);
    int which = (int)(i % nth_processors());
    CHECK_EQ(
        i % 2 ? nth_batch_to_lrq(which, first, last) : nth_batch_to_lrq_end(which, first, last), 0);
  }
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(sum, n * size);
}

static void *thread(void *arg) {
  struct nth_desc *me = nth_self();
  long sum = 0;
  CHECK_EQ(nth_processor(), -1);
  CHECK(me == nth_self());
  CHECK_EQ(nth_exit(), EPERM);
  CHECK_EQ(nth_init(1), EBUSY);
  CHECK_EQ(nth_block(), EINVAL);
  for (int turn = 0; turn < 3; turn++) {
    sum = 0;
    CHECK_EQ(nth_depadd(me, 2), 0);
    CHECK_EQ(nth_to_lrq(0, nth_create_ls(late, 0, me, 2, &sum, 7L)), 0);
    CHECK_EQ(nth_block(), 0);
    CHECK_EQ(sum, 7);
    sum = 0;
    CHECK_EQ(nth_depadd(me, 101), 0);
    for (long i = 1; i <= 100; i++)
      CHECK_EQ(nth_to_lrq(nth_processors() - 1, nth_create_ls(add, 0, me, 2, &sum, i)), 0);
    CHECK_EQ(nth_block(), 0);
    CHECK_EQ(sum, 5050);
    batches(CHECK_TIMES(200), 8);
    batches(3, CHECK_TIMES(1000));
  }
  return arg;
}

/* Main works as processor 0 as long as the threads need somebody. */
static long ended;
static void *counted(void *arg) {
  thread(arg);
  __atomic_fetch_add(&ended, 1, __ATOMIC_RELEASE);
  return arg;
}

static void nap(void) { check_sleep_ms(1); }

int main(void) {
  CHECK_EQ(nth_init(0), 0);
  struct nth_desc *me = nth_self();
  for (int turn = 0; turn < 3; turn++) {
    pthread_t t[THREADS];
    ended = 0;
    for (int i = 0; i < THREADS; i++)
      CHECK_EQ(pthread_create(&t[i], NULL, counted, NULL), 0);
    while (__atomic_load_n(&ended, __ATOMIC_ACQUIRE) < THREADS) {
      CHECK_EQ(nth_depadd(me, 2), 0);
      CHECK_EQ(nth_to_lrq_end(0, nth_create_ls(nap, 0, me, 0)), 0);
      CHECK_EQ(nth_block(), 0);
    }
    for (int i = 0; i < THREADS; i++)
      pthread_join(t[i], NULL);
  }
  CHECK_EQ(nth_exit(), 0);
  return 0;
}
