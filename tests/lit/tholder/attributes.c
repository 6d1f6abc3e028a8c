/* attributes.c - attributes of threads */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a thread has the stack, guard, CPUs, signal mask and scheduling that its attributes
// ask for, as it sees them itself, that it is detached if they say so, and that the next thread
// without attributes has none of it.
// RUN: %th_test
#include "names.h"
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>

enum { MIB = 1 << 20, LARGE = 64 * MIB, USER = 2 * MIB, GUARD = 1 << 18 };

/* What a thread finds out about itself. */
struct found {
  size_t stack, guard;
  uintptr_t lowest, local;
  int detached, policy;
  cpu_set_t cpus;
  sigset_t mask;
  size_t use; /* of its stack; set before */
};

static void look(struct found *f) {
  pthread_attr_t a;
  void *lowest;
  CHECK_EQ(pthread_getattr_np(pthread_self(), &a), 0);
  CHECK_EQ(pthread_attr_getstack(&a, &lowest, &f->stack), 0);
  CHECK_EQ(pthread_attr_getguardsize(&a, &f->guard), 0);
  CHECK_EQ(pthread_attr_getdetachstate(&a, &f->detached), 0);
  CHECK_EQ(pthread_attr_destroy(&a), 0);
  CHECK_EQ(sched_getaffinity(0, sizeof f->cpus, &f->cpus), 0);
  CHECK_EQ(pthread_sigmask(SIG_SETMASK, NULL, &f->mask), 0);
  f->policy = sched_getscheduler(0);
  f->lowest = (uintptr_t)lowest;
  f->local = (uintptr_t)&a;
}

static void *thread(void *argument) {
  struct found *f = argument;
  look(f);
  CHECK(f->local > f->lowest && f->local < f->lowest + f->stack);
  if (f->use > 0) {
    volatile char *used = __builtin_alloca(f->use);
    for (size_t i = 0; i < f->use; i += 1024)
      used[i] = 1;
  }
  return f;
}

/* Creates a thread with these attributes and joins it. */
static struct found with(const pthread_attr_t *a, size_t use) {
  struct found f = {.use = use};
  tholder_t t;
  CHECK_EQ(tholder_create(&t, a, thread, &f), 0);
  CHECK(th_result(t) == &f);
  return f;
}

static struct found plain; /* a thread without attributes, before any other */

static void next_one_is_plain(void) {
  struct found f = with(NULL, 0);
  CHECK_EQ(f.stack, plain.stack);
  CHECK_EQ(f.guard, plain.guard);
  CHECK_EQ(f.policy, plain.policy);
  CHECK(CPU_EQUAL(&f.cpus, &plain.cpus));
  CHECK_EQ(memcmp(&f.mask, &plain.mask, sizeof f.mask), 0);
}

static void defaults(void) {
  tholder_attr_t a;
  size_t size;
  int state;
  CHECK_EQ(tholder_attr_init(&a), 0);
  CHECK_EQ(tholder_attr_getdetachstate(&a, &state), 0);
  CHECK_EQ(state, THOLDER_CREATE_JOINABLE);
  CHECK_EQ(tholder_attr_getstacksize(&a, &size), 0);
  struct found f = with(&a, 0);
  CHECK(f.stack >= size);
  CHECK_EQ(f.stack, plain.stack);
  CHECK_EQ(tholder_attr_setstacksize(&a, 0), EINVAL);
  CHECK_EQ(tholder_attr_destroy(&a), 0);
}

static void large_stack(void) {
  tholder_attr_t a;
  CHECK_EQ(tholder_attr_init(&a), 0);
  CHECK_EQ(tholder_attr_setstacksize(&a, LARGE), 0);
  CHECK_EQ(tholder_attr_setguardsize(&a, GUARD), 0);
  struct found f = with(&a, LARGE - MIB);
  CHECK(f.stack >= LARGE);
  CHECK(f.guard >= GUARD);
  CHECK_EQ(tholder_attr_destroy(&a), 0);
}

/* Smaller than the default one: any stack will do, if it is large enough. */
static void small_stack(void) {
  tholder_attr_t a;
  CHECK_EQ(tholder_attr_init(&a), 0);
  CHECK_EQ(tholder_attr_setstacksize(&a, MIB / 2), 0);
  CHECK(with(&a, MIB / 4).stack >= MIB / 2);
  CHECK_EQ(tholder_attr_setguardsize(&a, 0), 0);
  CHECK(with(&a, MIB / 4).stack >= MIB / 2);
  CHECK_EQ(tholder_attr_destroy(&a), 0);
}

static void own_stack(void) {
  char *stack = mmap(NULL, USER, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(stack != MAP_FAILED);
  pthread_attr_t a;
  CHECK_EQ(pthread_attr_init(&a), 0);
  CHECK_EQ(pthread_attr_setstack(&a, stack, USER), 0);
  for (int i = 0; i < 3; i++) {
    struct found f = with(&a, USER / 2);
    uintptr_t from = (uintptr_t)stack, end = from + USER;
    CHECK(f.local > from && f.local < end);
    CHECK(f.lowest >= from && f.lowest + f.stack <= end);
  }
  CHECK_EQ(pthread_attr_destroy(&a), 0);
  CHECK_EQ(munmap(stack, USER), 0); /* nobody uses it when join has returned */
}

static void affinity(void) {
  pthread_attr_t a;
  CHECK_EQ(pthread_attr_init(&a), 0);
  for (int i = 0; i < CPU_SETSIZE; i++) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(i, &one);
    if (!CPU_ISSET(i, &plain.cpus))
      continue;
    CHECK_EQ(pthread_attr_setaffinity_np(&a, sizeof one, &one), 0);
    struct found f = with(&a, 0);
    CHECK(CPU_EQUAL(&f.cpus, &one));
  }
  CHECK_EQ(pthread_attr_destroy(&a), 0);
}

static void mask(void) {
  pthread_attr_t a;
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGUSR2);
  CHECK_EQ(pthread_attr_init(&a), 0);
  CHECK_EQ(pthread_attr_setsigmask_np(&a, &wanted), 0);
  struct found f = with(&a, 0);
  for (int s = 1; s < SIGRTMAX; s++)
    CHECK_EQ(sigismember(&f.mask, s), s == SIGUSR2);
  CHECK_EQ(pthread_attr_destroy(&a), 0);
}

/* ---- scheduling ---- */

static void explicit_policy(int policy, int priority) {
  pthread_attr_t a;
  struct sched_param p = {.sched_priority = priority};
  CHECK_EQ(pthread_attr_init(&a), 0);
  CHECK_EQ(pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED), 0);
  CHECK_EQ(pthread_attr_setschedpolicy(&a, policy), 0);
  CHECK_EQ(pthread_attr_setschedparam(&a, &p), 0);
  struct found f = {0};
  tholder_t t;
  int error = tholder_create(&t, &a, thread, &f);
  if (error == 0) {
    CHECK(th_result(t) == &f);
    CHECK_EQ(f.policy, policy);
  } else {
    CHECK_EQ(error, EPERM);
    CHECK(policy != SCHED_OTHER);
    CHECK_EQ(f.stack, 0); /* it has not run */
  }
  CHECK_EQ(pthread_attr_destroy(&a), 0);
}

/* A creator with another policy, whose threads have it too, or have not. */
static void *batch(void *argument) {
  struct sched_param none = {0};
  CHECK_EQ(sched_setscheduler(0, SCHED_BATCH, &none), 0);
  CHECK_EQ(with(NULL, 0).policy, SCHED_BATCH);
  pthread_attr_t a;
  CHECK_EQ(pthread_attr_init(&a), 0);
  CHECK_EQ(pthread_attr_setinheritsched(&a, PTHREAD_INHERIT_SCHED), 0);
  CHECK_EQ(with(&a, 0).policy, SCHED_BATCH);
  CHECK_EQ(pthread_attr_destroy(&a), 0);
  explicit_policy(SCHED_OTHER, 0);
  CHECK_EQ(with(NULL, 0).policy, SCHED_BATCH);
  return argument;
}

static void scheduling(void) {
  explicit_policy(SCHED_OTHER, 0);
  explicit_policy(SCHED_FIFO, 1);
  explicit_policy(SCHED_RR, 1);
  th_call(batch, NULL);
}

/* ---- detached ---- */

static int ended, release;

static void *detached_thread(void *argument) {
  struct found *f = argument;
  CHECK_WAIT_UNTIL(th_is_set(&release));
  look(f);
  th_set(&ended, 1);
  return NULL;
}

static void detached(void) {
  static struct found f;
  tholder_attr_t a;
  tholder_t t;
  CHECK_EQ(tholder_attr_init(&a), 0);
  CHECK_EQ(tholder_attr_setdetachstate(&a, THOLDER_CREATE_DETACHED), 0);
  th_set(&ended, 0);
  th_set(&release, 0);
  CHECK_EQ(tholder_create(&t, &a, detached_thread, &f), 0);
  CHECK_EQ(tholder_join(t, NULL), EINVAL);
  CHECK_EQ(tholder_detach(t), EINVAL);
  th_set(&release, 1);
  CHECK_WAIT_UNTIL(th_is_set(&ended));
  if (HELD) {
    int error;
    CHECK_WAIT_UNTIL((error = tholder_join(t, NULL)) != EINVAL);
    CHECK_EQ(error, ESRCH);
  } else {
    CHECK_EQ(f.detached, PTHREAD_CREATE_DETACHED);
  }
  CHECK_EQ(tholder_attr_destroy(&a), 0);
}

int main(void) {
  static void (*const all[])(void) = {defaults, large_stack, small_stack, own_stack,
                                      affinity, mask,        scheduling,  detached};
  plain = with(NULL, 0);
  for (int round = 0; round < CHECK_TIMES(10); round++)
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
      all[i]();
      next_one_is_plain();
    }
  return 0;
}
