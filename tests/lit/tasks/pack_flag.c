/* pack_flag.c - task in a loop: its maker does something else afterwards */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that other members run tasks whose maker waits for them without a scheduling point: for
// the last of some tasks, for each, for one that waits for a later one of the same loop; while a
// lock is held; and that a task made at a distance of time is not kept back.
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: env OMP_WAIT_POLICY=passive %omp_run %t
// RUN: env OMP_WAIT_POLICY=active %omp_run %t
#include "check.h"

static int flag, ran;

static int get(const int *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
static void count(int *word) { __atomic_add_fetch(word, 1, __ATOMIC_ACQ_REL); }

/* n tasks, of which the last one is waited for by its maker alone. */
static void last(int members, int n) {
  flag = ran = 0;
#pragma omp parallel num_threads(members)
#pragma omp single
  {
    for (int i = 1; i <= n; i++) {
#pragma omp task firstprivate(i)
      {
        count(&ran);
        if (i == n)
          count(&flag);
      }
    }
    if (omp_get_num_threads() > 1)
      CHECK_WAIT_UNTIL(get(&flag));
  }
  CHECK_EQ(ran, n);
}

/* Task after task, the maker waiting for all so far now and then. */
static void step_by_step(int members, int n, int every) {
  ran = 0;
#pragma omp parallel num_threads(members)
#pragma omp single
  for (int i = 1; i <= n; i++) {
#pragma omp task
    count(&ran);
    if (i % every == 0 && omp_get_num_threads() > 1)
      CHECK_WAIT_UNTIL(get(&ran) == i);
  }
  CHECK_EQ(ran, n);
}

/* The first task waits for the last one, which a third member runs; the maker waits for both. */
static void crossed(int members, int n) {
  flag = ran = 0;
#pragma omp parallel num_threads(members)
#pragma omp single
  if (omp_get_num_threads() > 2) {
    for (int i = 1; i <= n; i++) {
#pragma omp task firstprivate(i)
      {
        if (i == 1)
          CHECK_WAIT_UNTIL(get(&flag));
        if (i == n)
          count(&flag);
        count(&ran);
      }
    }
    CHECK_WAIT_UNTIL(get(&ran) == n);
  }
}

/* The maker's critical construct is one that its tasks want, too. */
static void locked(int members, int n) {
  flag = ran = 0;
#pragma omp parallel num_threads(members)
#pragma omp single
  {
    for (int i = 1; i <= n; i++) {
#pragma omp task firstprivate(i)
      {
        if (i == n)
          count(&flag);
#pragma omp critical
        ran++;
      }
    }
#pragma omp critical
    ran++;
    if (omp_get_num_threads() > 1)
      CHECK_WAIT_UNTIL(get(&flag));
  }
  CHECK_EQ(ran, n + 1);
}

/* Others sleep when a task comes. */
static void slowly(int members) {
  ran = 0;
#pragma omp parallel num_threads(members)
#pragma omp single
  for (int i = 1; i <= 12; i++) {
#pragma omp task
    count(&ran);
    check_sleep_ms(i % 4 == 0 ? 30 : 1);
    if (i % 4 == 0 && omp_get_num_threads() > 1)
      CHECK_WAIT_UNTIL(get(&ran) == i);
  }
  CHECK_EQ(ran, 12);
}

int main(void) {
  static const int members[] = {2, 4, 16};
  for (int k = 0; k < 3; k++) {
    for (int n = 1; n < 20; n += n < 6 ? 1 : 3) {
      last(members[k], n);
      crossed(members[k], n + 1);
      locked(members[k], n);
    }
    for (int round = 0; round < CHECK_TIMES(60); round++)
      last(members[k], 40);
    step_by_step(members[k], CHECK_TIMES(40), 1);
    step_by_step(members[k], CHECK_TIMES(140), 7);
    step_by_step(members[k], CHECK_TIMES(400), 40);
    slowly(members[k]);
  }
  return 0;
}
