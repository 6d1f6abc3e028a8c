/* robust.c - robust mutexes of threads that have ended */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the next one to lock a robust mutex is told within a second that its owner has ended,
// whether it waits by then or not: a held OS thread that lives on does not own it any longer.
// UNSUPPORTED: emulated
// RUN: %th_test
#include "names.h"

static pthread_mutex_t robust;

static void *locks(void *argument) {
  CHECK_EQ(pthread_mutex_lock(&robust), 0);
  return argument;
}

static void *locks_and_waits(void *argument) {
  CHECK_EQ(pthread_mutex_lock(&robust), 0);
  th_set(argument, 1);
  check_sleep_ms(5);
  return argument;
}

/* Returns the seconds until the dead owner's mutex was locked. */
static double lock(void) {
  double start = check_seconds();
  CHECK_EQ(pthread_mutex_lock(&robust), EOWNERDEAD);
  CHECK_EQ(pthread_mutex_consistent(&robust), 0);
  CHECK_EQ(pthread_mutex_unlock(&robust), 0);
  return check_seconds() - start;
}

static double ended(void) {
  th_call(locks, NULL);
  return lock();
}

static double ends_meanwhile(void) {
  int locked = 0;
  tholder_t t = th_start(locks_and_waits, &locked);
  CHECK_WAIT_UNTIL(th_is_set(&locked));
  double seconds = lock();
  CHECK(th_result(t) == &locked);
  return seconds;
}

/* A busy machine may take its time: one of five is enough. */
static void is_soon(double (*seconds)(void)) {
  int tries = 0;
  while (seconds() > 1)
    CHECK(++tries < 5);
}

int main(void) {
  pthread_mutexattr_t a;
  CHECK_EQ(pthread_mutexattr_init(&a), 0);
  CHECK_EQ(pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST), 0);
  CHECK_EQ(pthread_mutex_init(&robust, &a), 0);
  for (int i = 0; i < 10; i++) {
    is_soon(ended);
    is_soon(ends_meanwhile);
  }
  return 0;
}
