/* lifecycle.c - nth_init() and nth_exit(): again and again, by any thread */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks numbers of processors, that nth_exit() refuses while nano-threads are left and ends the OS
// threads, that another thread can be processor 0 afterwards, also one that used nano-threads from
// outside before, and that a thread that ends gives its processors back.
// RUN: %nth_test
#include "check.h"
#include "count_threads.h"
#include <errno.h>
#include <nanogomp/nth.h>
#include <pthread.h>

static long ran;
static void count(void) { __atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED); }

static void work(long n) {
  struct nth_desc *me = nth_self();
  long before = ran;
  CHECK_EQ(nth_depadd(me, n + 1), 0);
  for (long i = 0; i < n; i++)
    CHECK_EQ(nth_to_lrq((int)(i % nth_processors()), nth_create_ls(count, 0, me, 0)), 0);
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(ran, before + n);
}

static void session(int n) {
  CHECK_EQ(nth_init(n), 0);
  CHECK_EQ(nth_init(n), EBUSY);
  CHECK_EQ(nth_processors(), n ? n : omp_get_max_threads());
  CHECK_EQ(nth_processor(), 0);
  work(100);
  work(1);
  CHECK_EQ(nth_exit(), 0);
  CHECK_EQ(nth_exit(), ENXIO);
}

static void *a_session(void *arg) {
  session(3);
  session(1);
  return arg;
}

static void *leaves_it(void *arg) {
  CHECK_EQ(nth_init(2), 0);
  work(10);
  return arg; /* without nth_exit() */
}

static void in_thread(void *(*f)(void *)) {
  pthread_t t;
  CHECK_EQ(pthread_create(&t, NULL, f, NULL), 0);
  CHECK_EQ(pthread_join(t, NULL), 0);
}

static int go;
static void waits_for_go(void) {
  while (!__atomic_load_n(&go, __ATOMIC_ACQUIRE))
    check_sleep_ms(1);
}

static void busy(void) {
  CHECK_EQ(nth_init(2), 0);
  struct nth_desc *me = nth_self();
  /* one that runs on processor 1, and one that nobody takes while it does */
  CHECK_EQ(nth_depadd(me, 2), 0);
  CHECK_EQ(nth_to_lrq(1, nth_create_ls(waits_for_go, 0, me, 0)), 0);
  CHECK_EQ(nth_exit(), EBUSY);
  __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
  CHECK_EQ(nth_block(), 0);
  /* created and not queued: nobody waits for it */
  CHECK(nth_create_ls(count, 0, NULL, 0));
  CHECK(nth_create_ls(count, 1, NULL, 0));
  CHECK_EQ(nth_exit(), 0);
}

static void *nothing(void *arg) { return arg; }

/* --- a thread outside that becomes processor 0 --- */

static struct nth_desc *outside[2];
static pthread_barrier_t turns;

static void *first_outside(void *arg) {
  outside[0] = nth_self();
  pthread_barrier_wait(&turns);
  pthread_barrier_wait(&turns);
  CHECK_EQ(nth_init(1), 0);
  CHECK(nth_self() != outside[0]);
  pthread_barrier_wait(&turns);
  pthread_barrier_wait(&turns);
  CHECK_EQ(nth_exit(), 0);
  return arg;
}

static void *then_outside(void *arg) {
  outside[1] = nth_self();
  return arg;
}

/* Its part as a thread outside is free for the next one. */
static void comes_in(void) {
  pthread_t first;
  pthread_barrier_init(&turns, NULL, 2);
  CHECK_EQ(nth_init(1), 0);
  CHECK_EQ(pthread_create(&first, NULL, first_outside, NULL), 0);
  pthread_barrier_wait(&turns);
  CHECK_EQ(nth_exit(), 0);
  pthread_barrier_wait(&turns);
  pthread_barrier_wait(&turns);
  in_thread(then_outside);
  CHECK(outside[0] && outside[1] == outside[0]);
  pthread_barrier_wait(&turns);
  CHECK_EQ(pthread_join(first, NULL), 0);
  pthread_barrier_destroy(&turns);
}

int main(void) {
  in_thread(nothing); /* the thread sanitizer's own thread begins with the first */
  int before = count_threads();
  for (int turn = 0; turn < 5; turn++) {
    for (int n = 0; n < 8; n++)
      session(n);
    in_thread(a_session);
    in_thread(leaves_it);
    go = 0;
    busy();
    comes_in();
  }
  CHECK_WAIT_UNTIL(count_threads() <= before + 1); /* main is a root whose members may be
                                                    * nano-threads: it has a watchdog */
  return 0;
}
