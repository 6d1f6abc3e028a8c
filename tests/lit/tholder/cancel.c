/* cancel.c - cancellation of threads */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that threads are cancelled while they sleep, before they start and when they ask for it,
// that it is too late for those that have ended, that no later thread is cancelled in their place
// or begins with another cancel state, and that the thread of a cancelled joiner can be joined.
// And that a thread which cancels itself where requests act at once ends, and so do two that cancel
// each other.
// Sanitizers: TSan loses the order of a cancelled thread's locks, ASan its stack's frames.
// UNSUPPORTED: sanitizer
// RUN: %th_test
#include "names.h"
#include <semaphore.h>

static int release, cleaned, turns;

static int state_of(void) {
  int old, ignored;
  CHECK_EQ(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old), 0);
  CHECK_EQ(pthread_setcancelstate(old, &ignored), 0);
  return old;
}
static int type_of(void) {
  int old, ignored;
  CHECK_EQ(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old), 0);
  CHECK_EQ(pthread_setcanceltype(old, &ignored), 0);
  return old;
}

static void count(void *argument) {
  (void)argument;
  __atomic_fetch_add(&cleaned, 1, __ATOMIC_RELAXED);
}

/* An ordinary thread, which nobody has cancelled. */
static void *plain(void *argument) {
  CHECK_EQ(state_of(), PTHREAD_CANCEL_ENABLE);
  CHECK_EQ(type_of(), PTHREAD_CANCEL_DEFERRED);
  pthread_testcancel();
  check_sleep_ms(0);
  pthread_testcancel();
  return argument;
}

static void next_ones_are_well(void) {
  enum { N = 6 };
  tholder_t t[N];
  for (int i = 0; i < N; i++)
    t[i] = th_start(plain, &t[i]);
  for (int i = 0; i < N; i++)
    CHECK(th_result(t[i]) == &t[i]);
}

static void ends_cancelled(tholder_t t) { CHECK(th_result(t) == PTHREAD_CANCELED); }

/* ---- asleep ---- */

static sem_t never;

static void *sleeps(void *argument) {
  pthread_cleanup_push(count, NULL);
  th_set(argument, th_tid());
  while (sem_wait(&never) == 0 || errno == EINTR) {}
  CHECK(false);
  pthread_cleanup_pop(0);
  return NULL;
}

static void asleep(void) {
  int tid = 0, before = cleaned;
  tholder_t t = th_start(sleeps, &tid);
  th_wait_asleep(&tid);
  CHECK_EQ(tholder_cancel(t), 0);
  ends_cancelled(t);
  CHECK_EQ(cleaned, before + 1);
}

static void asleep_and_detached(void) {
  int tid = 0, before = cleaned;
  tholder_t t = th_start(sleeps, &tid);
  CHECK_EQ(tholder_detach(t), 0);
  th_wait_asleep(&tid);
  CHECK_EQ(tholder_cancel(t), 0);
  CHECK_WAIT_UNTIL(__atomic_load_n(&cleaned, __ATOMIC_ACQUIRE) == before + 1);
}

/* ---- before it starts, after it has ended, just when it ends ---- */

static void *tests(void *argument) {
  CHECK_WAIT_UNTIL(th_is_set(argument)); /* its naps are cancellation points */
  pthread_testcancel();
  CHECK(false);
  return NULL;
}

static void not_started(void) {
  int cancelled = 0;
  tholder_t t = th_start(tests, &cancelled);
  CHECK_EQ(tholder_cancel(t), 0);
  th_set(&cancelled, 1);
  ends_cancelled(t);
}

static void *sets(void *argument) {
  th_set(argument, 1);
  return argument;
}

static void ended(void) {
  int done = 0;
  tholder_t t = th_start(sets, &done);
  CHECK_WAIT_UNTIL(th_is_set(&done));
  check_sleep_ms(20);
  CHECK_EQ(tholder_cancel(t), 0);
  CHECK_EQ(tholder_cancel(t), 0);
  CHECK(th_result(t) == &done);
  if (HELD)
    CHECK_EQ(tholder_cancel(t), ESRCH);
}

static void just_then(void) {
  int done = 0;
  tholder_t t = th_start(sets, &done);
  CHECK_WAIT_UNTIL(th_is_set(&done));
  check_busy((unsigned)turns++ % 97 * 20);
  CHECK_EQ(tholder_cancel(t), 0);
  CHECK(th_result(t) == &done); /* it has no cancellation point behind the flag */
  CHECK(th_call(plain, &done) == &done);
}

/* ---- cancel states ---- */

static void *disables(void *argument) {
  int old;
  CHECK_EQ(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old), 0);
  CHECK_EQ(old, PTHREAD_CANCEL_ENABLE);
  CHECK_EQ(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old), 0);
  th_set(argument, 1);
  CHECK_WAIT_UNTIL(th_is_set(&release));
  pthread_testcancel();
  return argument;
}

static void *enables(void *argument) {
  int old;
  disables(argument);
  /* glibc 2.36 forgets PTHREAD_CANCELED if setcancelstate itself finds a request to act on. */
  CHECK_EQ(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old), 0);
  CHECK_EQ(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old), 0);
  pthread_testcancel();
  CHECK(false);
  return NULL;
}

static tholder_t disabled(void *(*start)(void *), int *ready) {
  *ready = 0;
  th_set(&release, 0);
  tholder_t t = th_start(start, ready);
  CHECK_WAIT_UNTIL(th_is_set(ready));
  CHECK_EQ(tholder_cancel(t), 0);
  th_set(&release, 1);
  return t;
}

static void states(void) {
  int ready;
  CHECK(th_result(disabled(disables, &ready)) == &ready);
  next_ones_are_well();
  ends_cancelled(disabled(enables, &ready));
  next_ones_are_well();
}

static void *spins(void *argument) {
  int old;
  CHECK_EQ(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old), 0);
  th_set(argument, 1);
  for (;;)
    __asm__ volatile("" ::: "memory");
  return NULL;
}

static void asynchronous(void) {
  int ready = 0;
  tholder_t t = th_start(spins, &ready);
  CHECK_WAIT_UNTIL(th_is_set(&ready));
  CHECK_EQ(tholder_cancel(t), 0);
  ends_cancelled(t);
}

/* ---- itself ---- */

static void *cancels_itself(void *argument) {
  if (argument)
    CHECK_EQ(tholder_cancel(tholder_self()), 0);
  else
    CHECK_EQ(pthread_cancel(pthread_self()), 0);
  pthread_testcancel();
  CHECK(false);
  return NULL;
}

/* It has asked for its end, but ends before any cancellation point. */
static void *cancels_and_returns(void *argument) {
  if (argument)
    CHECK_EQ(tholder_cancel(tholder_self()), 0);
  else
    CHECK_EQ(pthread_cancel(pthread_self()), 0);
  return argument;
}

static void itself(void) {
  int any;
  ends_cancelled(th_start(cancels_itself, NULL));
  ends_cancelled(th_start(cancels_itself, &any));
  CHECK(th_call(cancels_and_returns, NULL) == NULL);
  next_ones_are_well();
  CHECK(th_call(cancels_and_returns, &any) == &any);
}

/* ---- where requests act at once ---- */

static void acts_at_once(void) {
  int old;
  CHECK_EQ(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old), 0);
}

static void *cancels_itself_at_once(void *argument) {
  tholder_t me = tholder_self();
  acts_at_once();
  tholder_cancel(me);
  CHECK(false);
  return argument;
}

static void itself_at_once(void) { ends_cancelled(th_start(cancels_itself_at_once, NULL)); }

static tholder_t pair[2];

static void *cancels_other(void *argument) {
  tholder_t *other = argument;
  CHECK_WAIT_UNTIL(th_is_set(&release));
  acts_at_once();
  tholder_cancel(*other);
  for (;;)
    __asm__ volatile("" ::: "memory");
  return NULL;
}

/* The one that is cancelled first may not come to cancel the other. */
static void each_other(void) {
  th_set(&release, 0);
  for (int i = 0; i < 2; i++)
    pair[i] = th_start(cancels_other, &pair[1 - i]);
  th_set(&release, 1);
  check_busy((unsigned)turns++ % 53);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(tholder_cancel(pair[i]), 0);
  for (int i = 0; i < 2; i++)
    ends_cancelled(pair[i]);
}

/* ---- a joiner ---- */

static tholder_t target;

static void *waits(void *argument) {
  CHECK_WAIT_UNTIL(th_is_set(&release));
  return argument;
}

static void *joins(void *argument) {
  pthread_cleanup_push(count, NULL);
  th_set(argument, th_tid());
  tholder_join(target, NULL);
  CHECK(false);
  pthread_cleanup_pop(0);
  return NULL;
}

static void joiner(void) {
  th_set(&release, 0);
  target = th_start(waits, &target);
  for (int i = 0; i < 3; i++) {
    int tid = 0, before = cleaned;
    tholder_t t = th_start(joins, &tid);
    th_wait_asleep(&tid);
    CHECK_EQ(tholder_cancel(t), 0);
    ends_cancelled(t);
    CHECK_EQ(cleaned, before + 1);
  }
  th_set(&release, 1);
  CHECK(th_result(target) == &target);
}

/* A joiner that is cancelled before, with nothing to wait for, leaves the thread as well. */
static void *joins_when_cancelled(void *argument) {
  int old;
  CHECK_EQ(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old), 0);
  CHECK_WAIT_UNTIL(th_is_set(argument));
  CHECK_EQ(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old), 0);
  tholder_join(target, NULL);
  CHECK(false);
  return NULL;
}

static void joiner_is_late(void) {
  int cancelled = 0;
  th_set(&release, 0);
  target = th_start(waits, &target);
  tholder_t t = th_start(joins_when_cancelled, &cancelled);
  CHECK_EQ(tholder_cancel(t), 0);
  th_set(&cancelled, 1);
  ends_cancelled(t);
  th_set(&release, 1);
  CHECK(th_result(target) == &target);
}

int main(void) {
  static void (*const all[])(void) = {asleep,         asleep_and_detached, not_started, ended,
                                      states,         asynchronous,        itself,      joiner,
                                      joiner_is_late, itself_at_once,      each_other};
  CHECK_EQ(sem_init(&never, 0, 0), 0);
  next_ones_are_well();
  for (int round = 0; round < CHECK_TIMES(10); round++)
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
      all[i]();
      next_ones_are_well();
    }
  for (int i = 0; i < CHECK_TIMES(500); i++) {
    not_started();
    just_then();
  }
  return 0;
}
