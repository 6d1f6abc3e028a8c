/* join_time.c - held threads: a join with a time, while the thread's destructors run */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that pthread_timedjoin_np(), _clockjoin_np() and _tryjoin_np() come back while a key's
// destructor waits for the joiner itself; that the thread can be joined afterwards, with its
// result; and that one which has ended is joined though the time is over.
// UNSUPPORTED: sanitizer, emulated
// RUN: %hold_test
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { MS = 1000000 };

static pthread_key_t key;
static sem_t left;

static void destroy(void *value) {
  (void)value;
  while (sem_wait(&left) != 0) {}
}

static void *with_key(void *arg) {
  pthread_setspecific(key, arg);
  return arg;
}

static void *plain(void *arg) { return arg; }

static struct timespec in_ms(clockid_t clock, long ms) {
  struct timespec t;
  clock_gettime(clock, &t);
  t.tv_sec += ms / 1000;
  t.tv_nsec += ms % 1000 * MS;
  t.tv_sec += t.tv_nsec / (1000 * MS);
  t.tv_nsec %= 1000 * MS;
  return t;
}

static void while_destructors_run(void) {
  void *result = 0;
  pthread_t t;
  CHECK_EQ(pthread_create(&t, 0, with_key, (void *)7), 0);
  struct timespec real = in_ms(CLOCK_REALTIME, 400), steady = in_ms(CLOCK_MONOTONIC, 700);
  CHECK_EQ(pthread_timedjoin_np(t, &result, &real), ETIMEDOUT);
  CHECK_EQ(pthread_clockjoin_np(t, &result, CLOCK_MONOTONIC, &steady), ETIMEDOUT);
  CHECK_EQ(pthread_tryjoin_np(t, &result), EBUSY);
  sem_post(&left);
  CHECK_EQ(pthread_join(t, &result), 0);
  CHECK_EQ((intptr_t)result, 7);
}

static void after_its_end(void *(*work)(void *)) {
  void *result = 0;
  struct timespec over = {0, 0};
  pthread_t t;
  sem_post(&left);
  CHECK_EQ(pthread_create(&t, 0, work, (void *)8), 0);
  usleep(300000);
  CHECK_EQ(pthread_timedjoin_np(t, &result, &over), 0);
  CHECK_EQ((intptr_t)result, 8);
}

int main(void) {
  void *result;
  pthread_t t;
  sem_init(&left, 0, 0);
  CHECK_EQ(pthread_key_create(&key, destroy), 0);
  for (int i = 0; i < 3; i++) { /* so that there are held threads */
    CHECK_EQ(pthread_create(&t, 0, plain, 0), 0);
    CHECK_EQ(pthread_join(t, &result), 0);
  }
  while_destructors_run();
  after_its_end(with_key);
  after_its_end(plain);
  return 0;
}
