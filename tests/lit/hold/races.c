/* races.c - threads that are created, joined, detached, cancelled and signalled at the same time */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each thread runs exactly once and gives its result, whatever others do to it
// meanwhile, that a cancelled one ends with PTHREAD_CANCELED or its result, and that a cancellation
// or signal reaches no other thread.
// UNSUPPORTED: sanitizer, emulated
// RUN: %hold_test
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "check.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

enum { CREATORS = 4, ROUNDS = 300, KINDS = 6 };

struct one {
  int kind, runs, handled;
};
static __thread struct one *mine;
static int detached_runs;

static void handler(int signal) {
  (void)signal;
  if (mine)
    mine->handled++;
}

static void *thread(void *argument) {
  CHECK(mine == NULL);
  mine = argument;
  struct one *o = argument;
  o->runs++;
  if (o->kind == 2) { /* cancellation finds it here, or never */
    pthread_testcancel();
    sched_yield();
    pthread_testcancel();
  }
  if (o->kind == 3)
    __atomic_fetch_add(&detached_runs, 1, __ATOMIC_RELAXED);
  if (o->kind == 5)
    pthread_exit(o);
  return o;
}

static void *joins(void *argument) {
  void *result;
  CHECK_EQ(pthread_join(*(pthread_t *)argument, &result), 0);
  return result;
}

static void check_result(const struct one *o, void *result) {
  CHECK_EQ(o->runs, 1);
  CHECK(result == o || (o->kind == 2 && result == PTHREAD_CANCELED));
  CHECK(o->kind == 1 || o->handled == 0);
}

static void *creator(void *argument) {
  static struct one all[CREATORS][ROUNDS][KINDS];
  struct one(*mine_all)[KINDS] = all[(intptr_t)argument];
  for (int round = 0; round < ROUNDS; round++) {
    pthread_t t[KINDS], other;
    void *result;
    for (int k = 0; k < KINDS; k++) {
      mine_all[round][k] = (struct one){.kind = k};
      CHECK_EQ(pthread_create(&t[k], NULL, thread, &mine_all[round][k]), 0);
      if (k == 1)
        CHECK_EQ(pthread_kill(t[k], SIGUSR1), 0);
      if (k == 2)
        CHECK_EQ(pthread_cancel(t[k]), 0);
      if (k == 3)
        CHECK_EQ(pthread_detach(t[k]), 0);
    }
    for (int k = 0; k < KINDS; k++) {
      if (k == 3)
        continue;
      if (k == 4) {
        CHECK_EQ(pthread_create(&other, NULL, joins, &t[k]), 0);
        CHECK_EQ(pthread_join(other, &result), 0);
      } else {
        int error;
        while (round % 2 && (error = pthread_tryjoin_np(t[k], &result)) == EBUSY)
          sched_yield();
        if (round % 2 == 0)
          error = pthread_join(t[k], &result);
        CHECK_EQ(error, 0);
      }
      check_result(&mine_all[round][k], result);
    }
  }
  return NULL;
}

static int cancelled;

/* Is cancelled, and does not look. */
static void *deaf(void *argument) {
  CHECK_EQ(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL), 0);
  CHECK_WAIT_UNTIL(__atomic_load_n(&cancelled, __ATOMIC_ACQUIRE));
  return argument;
}

static void *looks(void *argument) {
  pthread_testcancel();
  check_sleep_ms(1);
  return argument;
}

static void cancel_one(void) {
  pthread_t t;
  void *result;
  __atomic_store_n(&cancelled, 0, __ATOMIC_RELEASE);
  CHECK_EQ(pthread_create(&t, NULL, deaf, &cancelled), 0);
  CHECK_EQ(pthread_cancel(t), 0);
  __atomic_store_n(&cancelled, 1, __ATOMIC_RELEASE);
  CHECK_EQ(pthread_join(t, &result), 0);
  CHECK(result == &cancelled || result == PTHREAD_CANCELED); /* before it had begun */
  CHECK_EQ(pthread_create(&t, NULL, looks, &cancelled), 0);
  CHECK_EQ(pthread_join(t, &result), 0);
  CHECK(result == &cancelled);
}

int main(void) {
  for (int i = 0; i < 20; i++)
    cancel_one();
  pthread_t t[CREATORS];
  CHECK(signal(SIGUSR1, handler) != SIG_ERR);
  for (intptr_t i = 0; i < CREATORS; i++)
    CHECK_EQ(pthread_create(&t[i], NULL, creator, (void *)i), 0);
  for (int i = 0; i < CREATORS; i++)
    CHECK_EQ(pthread_join(t[i], NULL), 0);
  CHECK_WAIT_UNTIL(__atomic_load_n(&detached_runs, __ATOMIC_RELAXED) == CREATORS * ROUNDS);
  return 0;
}
