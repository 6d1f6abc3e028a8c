/* mixed_schedules.c - members of a team with different schedules for schedule(runtime) */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One member sets its schedule inside the region, as programs do by mistake: each iteration is
// still there once, in each kind of loop, and the members agree on the next ones.
// nanogomp-only: libgomp has not all of these right
// REQUIRES: nanogomp
// RUN: %omp_test
// RUN: env NTH_RANGES=on %omp_run %t
#include "check.h"
#include <omp.h>

enum { N = 500 };

static const struct {
  int kind, chunk;
} schedules[] = {{omp_sched_static, 0},
                 {omp_sched_static, 7},
                 {omp_sched_dynamic, 1},
                 {omp_sched_dynamic, 8},
                 {omp_sched_dynamic, 16},
                 {(int)omp_sched_dynamic | (int)0x80000000, 3},
                 {omp_sched_guided, 4},
                 {omp_sched_auto, 0},
                 {0x101, 5}, /* the library's own: trapezoid, affinity, gss; elsewhere unknown */
                 {0x102, 5},
                 {0x103, 5}};
enum { SCHEDULES = sizeof schedules / sizeof schedules[0] };

static void set(int which) {
  omp_set_schedule((omp_sched_t)schedules[which].kind, schedules[which].chunk);
}

static int met[4][N], last;

static void count(int which, int i) { __atomic_fetch_add(&met[which][i], 1, __ATOMIC_RELAXED); }

static void check(int all, int one) {
  for (int which = 0; which < 4; which++)
    for (int i = 0; i < N; i++)
      if (met[which][i] != 1) {
        fprintf(stderr, "schedules %d and %d, loop %d, iteration %d\n", all, one, which, i);
        CHECK_EQ(met[which][i], 1);
        return;
      }
  CHECK_EQ(last, N - 1);
}

/* The loops of a region; a private copy of `last` comes out of the third one. */
static void loops(void) {
#pragma omp for schedule(runtime) nowait
  for (int i = 0; i < N; i++)
    count(0, i);
#pragma omp for schedule(nonmonotonic : runtime) nowait
  for (int i = 0; i < N; i++)
    count(1, i);
#pragma omp for schedule(monotonic : runtime) lastprivate(last)
  for (int i = 0; i < N; i++) {
    count(2, i);
    last = i;
  }
#pragma omp for ordered schedule(runtime)
  for (int i = 0; i < N; i++)
#pragma omp ordered
    count(3, i);
}

/* early: the others may come to the loop before the schedule is set. */
static void mix(int all, int one, bool early) {
  memset(met, 0, sizeof met);
  last = -1;
  set(all);
#pragma omp parallel
  {
    if (omp_get_thread_num() == omp_get_num_threads() - 1)
      set(one);
    if (!early) {
#pragma omp barrier
    }
    loops();
  }
  check(all, one);
}

/* A member is still before a loop when others, which are past it, set schedules for later ones: the
 * loop is as it was. who: 0: all set it alike, else the first member only. */
static void set_behind(int which, int next, int who) {
  int sections = 0;
  memset(met, 0, sizeof met);
  last = N - 1;
  set(which);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1)
      check_sleep_ms(2);
#pragma omp for schedule(runtime) nowait
    for (int i = 0; i < N; i++)
      count(0, i);
    if (who == 0 || omp_get_thread_num() == 0)
      set(next);
#pragma omp for schedule(guided) nowait
    for (int i = 0; i < N; i++)
      count(1, i);
#pragma omp sections nowait
    {
#pragma omp section
      __atomic_fetch_add(&sections, 1, __ATOMIC_RELAXED);
#pragma omp section
      __atomic_fetch_add(&sections, 1, __ATOMIC_RELAXED);
    }
#pragma omp for schedule(runtime)
    for (int i = 0; i < N; i++)
      count(2, i);
#pragma omp for ordered schedule(runtime)
    for (int i = 0; i < N; i++)
#pragma omp ordered
      count(3, i);
  }
  CHECK_EQ(sections, 2);
  check(which, next);
}

int main(void) {
  for (int which = 0; which < SCHEDULES; which++)
    for (int next = 0; next < SCHEDULES; next++)
      for (int who = 0; who < 2; who++)
        set_behind(which, next, who);
  for (int all = 0; all < SCHEDULES; all++)
    for (int one = 0; one < SCHEDULES; one++) {
      mix(all, one, false);
      if (schedules[all].kind != omp_sched_static && schedules[all].kind != omp_sched_auto &&
          schedules[all].kind != schedules[one].kind)
        mix(all, one, true);
    }
  return 0;
}
