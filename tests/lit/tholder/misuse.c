/* misuse.c - calls that make no sense */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the errors for NULL, for threads that were joined or detached, for numbers that are no
// threads, for two joiners and for threads that wait for themselves or for each other.
// RUN: %th_test
#include "names.h"

static int release;

static void *value(void *argument) { return argument; }

static void *waits(void *argument) {
  CHECK_WAIT_UNTIL(th_is_set(&release));
  return argument;
}

#if HELD
static void arguments(void) {
  tholder_t t = 77;
  CHECK_EQ(tholder_create(NULL, NULL, value, NULL), EINVAL);
  CHECK_EQ(tholder_create(&t, NULL, NULL, NULL), EINVAL);
  CHECK_EQ(tholder_count(NULL), EINVAL);
  for (int setting = -2; setting < 10; setting++)
    if (setting != THOLDER_IDLE_NS && setting != THOLDER_IDLE_MOST)
      CHECK_EQ(tholder_config(setting, 1), EINVAL);
  CHECK_EQ(tholder_config(THOLDER_IDLE_NS, -1), EINVAL);
  CHECK_EQ(tholder_config(THOLDER_IDLE_MOST, -2), EINVAL);
}

static void is_no_thread(tholder_t t) {
  void *result;
  CHECK_EQ(tholder_join(t, &result), ESRCH);
  CHECK_EQ(tholder_join(t, NULL), ESRCH);
  CHECK_EQ(tholder_detach(t), ESRCH);
  CHECK_EQ(tholder_cancel(t), ESRCH);
}

/* Later threads, on the same OS threads, do not give the numbers a meaning. */
static void joined(void) {
  enum { N = 300 };
  tholder_t old[N], now[5];
  for (int i = 0; i < N; i++) {
    old[i] = th_start(value, NULL);
    CHECK(old[i] != 0);
    CHECK_EQ(tholder_join(old[i], NULL), 0);
    is_no_thread(old[i]);
  }
  th_set(&release, 0);
  for (int i = 0; i < 5; i++)
    now[i] = th_start(waits, NULL);
  for (int i = 0; i < N; i++)
    is_no_thread(old[i]);
  th_set(&release, 1);
  for (int i = 0; i < 5; i++)
    th_result(now[i]);
}

static void foreign(void) {
  is_no_thread(0);
  for (tholder_t t = UINT64_MAX; t > UINT64_MAX - 100; t--)
    is_no_thread(t);
  uint64_t state = 1;
  for (int i = 0; i < CHECK_TIMES(100000); i++)
    is_no_thread((uint64_t)check_random(&state) << 33 ^ (uint64_t)check_random(&state) << 11 ^
                 check_random(&state));
  is_no_thread((tholder_t)(uintptr_t)&state);
  is_no_thread((tholder_t)pthread_self());
  /* One bit beside a thread's number: this could be the initial thread, which nobody can join. */
  th_set(&release, 0);
  tholder_t t = th_start(waits, NULL);
  for (int bit = 0; bit < 64; bit++)
    CHECK(tholder_join(t ^ UINT64_C(1) << bit, NULL) != 0);
  th_set(&release, 1);
  th_result(t);
}

static void *joins_main(void *argument) {
  int error = tholder_join(*(tholder_t *)argument, NULL);
  CHECK(error == ESRCH || error == EINVAL);
  return NULL;
}

static void *names_itself(void *argument) {
  tholder_t self = tholder_self();
  CHECK(self != 0 && tholder_equal(self, tholder_self()));
  *(tholder_t *)argument = self;
  return NULL;
}

/* Threads that tholder_create() has not made. */
static void other_threads(void) {
  tholder_t self = 0, other = 0;
  names_itself(&self);
  CHECK(tholder_join(self, NULL) != 0);
  th_call(joins_main, &self);
  pthread_t p;
  CHECK_EQ(pthread_create(&p, NULL, names_itself, &other), 0);
  CHECK_EQ(pthread_join(p, NULL), 0);
  CHECK(!tholder_equal(self, other));
  CHECK(tholder_join(other, NULL) != 0);
}
#endif

static void detached(void) {
  th_set(&release, 0);
  tholder_t t = th_start(waits, NULL);
  CHECK_EQ(tholder_detach(t), 0);
  CHECK_EQ(tholder_detach(t), EINVAL);
  CHECK_EQ(tholder_join(t, NULL), EINVAL);
  th_set(&release, 1);
#if HELD
  int error;
  CHECK_WAIT_UNTIL((error = tholder_join(t, NULL)) != EINVAL);
  CHECK_EQ(error, ESRCH);
  is_no_thread(t);
  t = th_start(value, NULL); /* that may have ended before */
  CHECK_EQ(tholder_detach(t), 0);
  CHECK_WAIT_UNTIL((error = tholder_detach(t)) != EINVAL);
  is_no_thread(t);
#endif
}

/* ---- joins that cannot come to an end ---- */

static void *joins_itself(void *argument) {
  CHECK_EQ(tholder_join(tholder_self(), NULL), EDEADLK);
  return argument;
}

#if HELD
/* Two threads that join each other. glibc 2.36 does not notice it, nor a second joiner. */
struct pair {
  tholder_t thread[2];
  int go[2], tid[2];
  int error[2]; /* -1: not yet */
};

static void *joins_other(struct pair *p, int me) {
  void *result = NULL;
  CHECK_WAIT_UNTIL(th_is_set(&p->go[me]));
  th_set(&p->tid[me], th_tid());
  int error = tholder_join(p->thread[!me], &result);
  if (error == 0)
    CHECK(result == p);
  th_set(&p->error[me], error);
  return p;
}
static void *joins_second(void *argument) { return joins_other(argument, 0); }
static void *joins_first(void *argument) { return joins_other(argument, 1); }

static void begin(struct pair *p) {
  *p = (struct pair){.error = {-1, -1}};
  p->thread[0] = th_start(joins_second, p);
  p->thread[1] = th_start(joins_first, p);
}

static void one_after_the_other(void) {
  struct pair p;
  begin(&p);
  th_set(&p.go[0], 1);
  th_wait_asleep(&p.tid[0]);
  CHECK_EQ(tholder_join(p.thread[1], NULL), EINVAL); /* the first one joins it */
  th_set(&p.go[1], 1);
  CHECK_WAIT_UNTIL(__atomic_load_n(&p.error[1], __ATOMIC_ACQUIRE) != -1);
  CHECK_EQ(p.error[1], EDEADLK);
  CHECK(th_result(p.thread[0]) == &p);
  CHECK_EQ(p.error[0], 0);
}

/* Exactly one of them is told, and the other one joins it. */
static void both_at_once(void) {
  struct pair p;
  begin(&p);
  th_set(&p.go[0], 1);
  th_set(&p.go[1], 1);
  CHECK_WAIT_UNTIL(__atomic_load_n(&p.error[0], __ATOMIC_ACQUIRE) != -1 &&
                   __atomic_load_n(&p.error[1], __ATOMIC_ACQUIRE) != -1);
  int told = p.error[0] != 0 ? 0 : 1;
  CHECK_EQ(p.error[told], EDEADLK);
  CHECK_EQ(p.error[!told], 0);
  CHECK(th_result(p.thread[!told]) == &p);
}
#endif

int main(void) {
#if HELD
  arguments();
  joined();
  foreign();
  other_threads();
  for (int i = 0; i < CHECK_TIMES(300); i++)
    both_at_once();
#endif
  for (int i = 0; i < 10; i++) {
    detached();
    th_call(joins_itself, NULL);
#if HELD
    one_after_the_other();
#endif
  }
  CHECK_EQ(tholder_join(tholder_self(), NULL), EDEADLK);
  CHECK(th_call(value, &release) == &release);
  return 0;
}
