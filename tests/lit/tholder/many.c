/* many.c - more threads at once than the machine likes, and few again and again */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that threads that wait for each other all run, up to 4,000 of them or until create says
// EAGAIN, that all can be joined then, and that rounds of 50 need hardly more OS threads than 50.
// REQUIRES: base
// UNSUPPORTED: sanitizer, emulated
// RUN: %th_test
#include "names.h"

enum { MANY = 4000, ROUNDS = 200, AT_ONCE = 50, MADE = 60 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static long running;
static bool open;
static tholder_t threads[MANY];

static void *waits(void *argument) {
  __atomic_fetch_add(&running, 1, __ATOMIC_RELAXED);
  CHECK_EQ(pthread_mutex_lock(&mutex), 0);
  while (!open)
    CHECK_EQ(pthread_cond_wait(&opened, &mutex), 0);
  CHECK_EQ(pthread_mutex_unlock(&mutex), 0);
  return argument;
}

static void set_open(bool value) {
  CHECK_EQ(pthread_mutex_lock(&mutex), 0);
  open = value;
  CHECK_EQ(pthread_cond_broadcast(&opened), 0);
  CHECK_EQ(pthread_mutex_unlock(&mutex), 0);
}

static void many_at_once(void) {
  long n = 0;
  running = 0;
  set_open(false);
  while (n < MANY) {
    int error = tholder_create(&threads[n], NULL, waits, th_pointer(n));
    if (error != 0) {
      CHECK_EQ(error, EAGAIN);
      break;
    }
    n++;
  }
  CHECK(n >= 100);
  CHECK_WAIT_UNTIL(__atomic_load_n(&running, __ATOMIC_RELAXED) == n); /* nobody waits for a turn */
  set_open(true);
  for (long i = 0; i < n; i++)
    CHECK(th_result(threads[i]) == th_pointer(i));
}

/* ---- few, again and again ---- */

static long ran;

static void *tiny(void *argument) {
  __atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
  return argument;
}

static void rounds(void) {
  ran = 0;
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < AT_ONCE; i++)
      threads[i] = th_start(tiny, &threads[i]);
    for (int i = 0; i < AT_ONCE; i++)
      CHECK(th_result(threads[i]) == &threads[i]);
  }
  CHECK_EQ(ran, ROUNDS * AT_ONCE);
}

#if HELD
/* How many OS threads the rounds need. */
static uint64_t made_by_rounds(void) {
  struct tholder_counts before, after;
  CHECK_EQ(tholder_count(&before), 0);
  rounds();
  CHECK_EQ(tholder_count(&after), 0);
  CHECK_EQ(after.created - before.created, ROUNDS * AT_ONCE);
  CHECK_EQ(after.own, before.own);
  CHECK(after.idle <= after.held);
  return after.made - before.made;
}

/* A machine that stops for a while lets idle OS threads end: one run of five is enough. */
static void few_are_made(void) {
  uint64_t made = MADE;
  for (int i = 0; i < 5 && made >= MADE; i++)
    made = made_by_rounds();
  CHECK(made < MADE);
  CHECK_EQ(tholder_config(THOLDER_IDLE_NS, INT64_C(600000000000)), 0);
  CHECK(made_by_rounds() < MADE);
  struct tholder_counts c;
  CHECK_EQ(tholder_config(THOLDER_IDLE_MOST, 3), 0);
  rounds();
  CHECK_WAIT_UNTIL(tholder_count(&c) == 0 && c.idle <= 3);
  CHECK_EQ(tholder_config(THOLDER_IDLE_MOST, 0), 0);
  rounds();
  CHECK_WAIT_UNTIL(tholder_count(&c) == 0 && c.idle == 0);
  CHECK_EQ(tholder_config(THOLDER_IDLE_MOST, -1), 0);
  CHECK_EQ(tholder_config(THOLDER_IDLE_NS, 0), 0);
}
#endif

int main(void) {
#if HELD
  few_are_made();
#endif
  for (int i = 0; i < 2; i++) {
    many_at_once();
    rounds();
  }
  return 0;
}
