/* fresh_os.c - what the kernel keeps for a new thread */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a thread begins with its creator's CPUs, name, nice value, scheduling policy, timer
// slack and right to get more rights, whatever earlier threads have done to theirs: what a held OS
// thread keeps is not to be seen.
// UNSUPPORTED: emulated
// RUN: %th_test
#include "names.h"
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>

/* What a thread has of the kernel. */
struct own {
  cpu_set_t cpus;
  char name[16];
  int nice, policy, slack, keeps, no_new_rights;
};

static struct own look(void) {
  struct own o = {.nice = getpriority(PRIO_PROCESS, 0),
                  .policy = sched_getscheduler(0),
                  .slack = prctl(PR_GET_TIMERSLACK),
                  .keeps = prctl(PR_GET_KEEPCAPS, 0, 0, 0, 0),
                  .no_new_rights = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)};
  CHECK_EQ(sched_getaffinity(0, sizeof o.cpus, &o.cpus), 0);
  CHECK_EQ(pthread_getname_np(pthread_self(), o.name, sizeof o.name), 0);
  return o;
}

static void check_same(const struct own *o, const struct own *expected) {
  CHECK(CPU_EQUAL(&o->cpus, &expected->cpus));
  CHECK_STREQ(o->name, expected->name);
  CHECK_EQ(o->nice, expected->nice);
  CHECK_EQ(o->policy, expected->policy);
  CHECK_EQ(o->slack, expected->slack);
  CHECK_EQ(o->keeps, expected->keeps);
  CHECK_EQ(o->no_new_rights, expected->no_new_rights);
}

static void *plain(void *argument) {
  struct own o = look();
  check_same(&o, argument);
  return argument;
}

static void next_ones_are_like(const struct own *creator) {
  enum { N = 4 };
  tholder_t t[N];
  for (int i = 0; i < N; i++)
    t[i] = th_start(plain, (void *)(uintptr_t)creator);
  for (int i = 0; i < N; i++)
    CHECK(th_result(t[i]) == creator);
}

/* ---- what a thread does to itself ---- */

static void one_cpu(void) {
  cpu_set_t cpus, one;
  CHECK_EQ(sched_getaffinity(0, sizeof cpus, &cpus), 0);
  CPU_ZERO(&one);
  for (int i = CPU_SETSIZE - 1; i >= 0 && CPU_COUNT(&one) == 0; i--)
    if (CPU_ISSET(i, &cpus))
      CPU_SET(i, &one);
  CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
}
static void other_name(void) { CHECK_EQ(pthread_setname_np(pthread_self(), "spoilt"), 0); }
static void nicer(void) {
  CHECK_EQ(setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) < 19 ? 19 : 18), 0);
}
static void batch(void) {
  struct sched_param none = {0};
  CHECK_EQ(sched_setscheduler(0, SCHED_BATCH, &none), 0);
}

static void later_timers(void) { CHECK_EQ(prctl(PR_SET_TIMERSLACK, 777777ul), 0); }
static void keeps_rights(void) { CHECK_EQ(prctl(PR_SET_KEEPCAPS, 1ul, 0, 0, 0), 0); }
static void no_new_rights(void) { CHECK_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1ul, 0, 0, 0), 0); }

static void (*const changes[])(void) = {one_cpu,      other_name,   nicer,        batch,
                                        later_timers, keeps_rights, no_new_rights};
enum { CHANGES = sizeof changes / sizeof *changes };

static void *changes_itself(void *argument) {
  changes[(intptr_t)argument]();
  return argument;
}

/* Its threads are like it, not like those of the creator before. */
static void *changed_creator(void *argument) {
  changes[(intptr_t)argument]();
  struct own o = look();
  next_ones_are_like(&o);
  return argument;
}

int main(void) {
  struct own o = look();
  for (int round = 0; round < CHECK_TIMES(10); round++) {
    next_ones_are_like(&o);
    for (intptr_t i = 0; i < CHANGES; i++) {
      th_call(changes_itself, th_pointer(i));
      next_ones_are_like(&o);
      th_call(changed_creator, th_pointer(i));
      next_ones_are_like(&o);
    }
  }
  return 0;
}
