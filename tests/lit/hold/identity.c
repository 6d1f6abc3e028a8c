/* identity.c - pthread_t of a created thread, with every call that takes one */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a thread's pthread_t is its own until the join, also after its function has ended,
// and what joining, detaching, killing, cancelling and asking return before and after the end.
// UNSUPPORTED: sanitizer, emulated
// RUN: %hold_test
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "check.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

enum { N = 40 };
static int go, detached;

static void *self(void *argument) {
  CHECK_WAIT_UNTIL(__atomic_load_n(&go, __ATOMIC_ACQUIRE));
  *(pthread_t *)argument = pthread_self();
  return argument;
}

static struct timespec after_ms(clockid_t clock, long ms) {
  struct timespec t;
  clock_gettime(clock, &t);
  t.tv_nsec += ms % 1000 * 1000000;
  t.tv_sec += ms / 1000 + t.tv_nsec / 1000000000;
  t.tv_nsec %= 1000000000;
  return t;
}

/* All exist at a time, ended or not: all differ. */
static void unique(void) {
  pthread_t t[N], seen[N];
  __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
  for (int i = 0; i < N; i++)
    CHECK_EQ(pthread_create(&t[i], NULL, self, &seen[i]), 0);
  check_sleep_ms(5);
  for (int i = 0; i < N; i++)
    for (int k = 0; k < i; k++)
      CHECK(!pthread_equal(t[i], t[k]));
  for (int i = 0; i < N; i++) {
    void *result;
    CHECK_EQ(pthread_join(t[i], &result), 0);
    CHECK(result == &seen[i]);
    CHECK(pthread_equal(t[i], seen[i]));
  }
}

/* While it runs. */
static void running(void) {
  pthread_t t, seen;
  char name[16];
  struct timespec end = after_ms(CLOCK_MONOTONIC, 5), past = {1, 0};
  __atomic_store_n(&go, 0, __ATOMIC_RELEASE);
  CHECK_EQ(pthread_create(&t, NULL, self, &seen), 0);
  CHECK_EQ(pthread_setname_np(t, "named"), 0);
  CHECK_EQ(pthread_getname_np(t, name, sizeof name), 0);
  CHECK_STREQ(name, "named");
  CHECK_EQ(pthread_kill(t, 0), 0);
  CHECK_EQ(pthread_tryjoin_np(t, NULL), EBUSY);
  CHECK_EQ(pthread_timedjoin_np(t, NULL, &past), ETIMEDOUT);
  CHECK_EQ(pthread_clockjoin_np(t, NULL, CLOCK_MONOTONIC, &end), ETIMEDOUT);
  __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
  end = after_ms(CLOCK_REALTIME, 100000);
  CHECK_EQ(pthread_timedjoin_np(t, NULL, &end), 0);
}

static void *ends(void *argument) { return argument; }

static void nothing(int signal) { (void)signal; }

/* The function has ended, and nobody has joined it. */
static void ended(void) {
  pthread_t t;
  void *result = NULL;
  CHECK_EQ(pthread_create(&t, NULL, ends, &detached), 0);
  while (pthread_tryjoin_np(t, &result) == EBUSY)
    check_sleep_ms(1);
  CHECK(result == &detached);
  CHECK_EQ(pthread_create(&t, NULL, ends, &go), 0);
  check_sleep_ms(20);
  CHECK_EQ(pthread_kill(t, SIGUSR1), 0);
  CHECK_EQ(pthread_cancel(t), 0);
  CHECK_EQ(pthread_join(t, &result), 0);
  CHECK(result == &go);
}

static void *detaches(void *argument) {
  pthread_attr_t a;
  int state;
  CHECK_EQ(pthread_detach(pthread_self()), 0);
  CHECK_EQ(pthread_detach(pthread_self()), EINVAL);
  CHECK_EQ(pthread_getattr_np(pthread_self(), &a), 0);
  CHECK_EQ(pthread_attr_getdetachstate(&a, &state), 0);
  CHECK_EQ(state, PTHREAD_CREATE_DETACHED);
  CHECK_EQ(pthread_attr_destroy(&a), 0);
  __atomic_fetch_add((int *)argument, 1, __ATOMIC_RELEASE);
  return NULL;
}

static void *joins_itself(void *argument) {
  CHECK_EQ(pthread_join(pthread_self(), NULL), EDEADLK);
  return argument;
}

static pthread_t first;
static void takes_time(void *unused) {
  (void)unused;
  check_sleep_ms(3);
}
static void *joins_first(void *argument) {
  __atomic_store_n((int *)argument, 1, __ATOMIC_RELEASE);
  pthread_cleanup_push(takes_time, NULL);
  pthread_join(first, NULL);
  pthread_cleanup_pop(0);
  return argument;
}

/* It waits for the caller, but has been cancelled: no deadlock. */
static void joins_a_joiner(void) {
  pthread_t t;
  void *result = NULL;
  int begun = 0;
  first = pthread_self();
  CHECK_EQ(pthread_create(&t, NULL, joins_first, &begun), 0);
  CHECK_WAIT_UNTIL(__atomic_load_n(&begun, __ATOMIC_ACQUIRE));
  check_sleep_ms(2);
  CHECK_EQ(pthread_cancel(t), 0);
  CHECK_EQ(pthread_join(t, &result), 0);
  CHECK(result == PTHREAD_CANCELED);
}

int main(void) {
  CHECK(signal(SIGUSR1, nothing) != SIG_ERR);
  for (int round = 0; round < 10; round++) {
    pthread_t t;
    unique();
    running();
    ended();
    for (int i = 0; i < N; i++)
      CHECK_EQ(pthread_create(&t, NULL, detaches, &detached), 0);
    CHECK_WAIT_UNTIL(__atomic_load_n(&detached, __ATOMIC_ACQUIRE) == N * (round + 1));
    joins_a_joiner();
    CHECK_EQ(pthread_create(&t, NULL, joins_itself, NULL), 0);
    CHECK_EQ(pthread_join(t, NULL), 0);
  }
  return 0;
}
