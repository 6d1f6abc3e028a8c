/* pack_mixed.c - task in a loop, among tasks with events and priorities, and cancelled */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that tasks of a loop run once each where tasks with detach, with a priority, and regions
// of the maker's children come in between, and that a cancelled taskgroup ends.
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: env OMP_MAX_TASK_PRIORITY=5 %omp_run %t
// RUN: env OMP_CANCELLATION=true %omp_run %t
// RUN: env NTH_TEST_BRIEF=1 OMP_MAX_TASK_PRIORITY=5 %omp_run %t
#include "check.h"

enum { N = 2000 };
static int ran[N], begun;

static void run_it(int i) { __atomic_add_fetch(&ran[i], 1, __ATOMIC_RELAXED); }

static void one_each(void) {
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    wrong += ran[i] != 1;
    ran[i] = 0;
  }
  CHECK_EQ(wrong, 0);
}

static void make(int i) {
#pragma omp task firstprivate(i)
  run_it(i);
}

static void events(int every) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < N; i++) {
    if (i % every == 0) {
      omp_event_handle_t event;
#pragma omp task firstprivate(i) detach(event)
      {
        run_it(i);
        omp_fulfill_event(event);
      }
    } else
      make(i);
  }
  one_each();
}

static void priorities(int every) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < N; i++) {
    if (i % every == 0) {
#pragma omp task firstprivate(i) priority(i % 7)
      run_it(i);
    } else
      make(i);
  }
  one_each();
}

/* One construct, its priority 0 or not. */
static void priority_in_turn(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < N; i++) {
#pragma omp task firstprivate(i) priority(i % 20 == 0)
    run_it(i);
  }
  one_each();
}

static void cancelled(int round) {
  __atomic_store_n(&begun, 0, __ATOMIC_RELAXED);
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    for (int i = 0; i < 200; i++) {
#pragma omp task firstprivate(i)
      {
        __atomic_add_fetch(&begun, 1, __ATOMIC_RELAXED);
        if (i == round) {
#pragma omp cancel taskgroup
        }
      }
    }
    if (omp_get_cancellation())
      CHECK(__atomic_load_n(&begun, __ATOMIC_RELAXED) <= 200);
    else
      CHECK_EQ(__atomic_load_n(&begun, __ATOMIC_RELAXED), 200);
    for (int i = 0; i < N; i++)
      make(i);
  }
  one_each();
}

int main(void) {
  for (int every = 1; every < 30; every += 4) {
    events(every);
    priorities(every);
  }
  priority_in_turn();
  for (int round = 0; round < 100; round += 9)
    cancelled(round);
  return 0;
}
