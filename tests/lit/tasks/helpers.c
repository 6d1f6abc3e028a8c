/* helpers.c - who sleeps and may not start a task keeps nobody from being woken for it */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that, while one member sleeps in a taskwait that allows it none of them, the tasks of
// another are run by the master, asleep at the end of the region, and by a member that had nothing
// left to do.
// RUN: %omp_test
#include "check.h"

#define TASKS 100
#define ROUNDS 100 /* on a busy machine it may take some until both have had a CPU */

static int ran[4];

static bool both_helped(void) {
  return __atomic_load_n(&ran[0], __ATOMIC_RELAXED) > 0 &&
         __atomic_load_n(&ran[3], __ATOMIC_RELAXED) > 0;
}

static void make_tasks(void) {
  for (int t = 0; t < TASKS; t++) {
#pragma omp task
    {
#pragma omp atomic
      ran[omp_get_thread_num()]++;
      check_sleep_ms(1);
    }
  }
#pragma omp taskwait
}

int main(void) {
  static int made;
  static omp_event_handle_t pending;
#pragma omp parallel num_threads(4)
  {
    if (omp_get_thread_num() == 1) {
      omp_event_handle_t event;
#pragma omp task detach(event)
      __atomic_store_n(&pending, event, __ATOMIC_RELEASE);
#pragma omp taskwait
    } else if (omp_get_thread_num() == 2) {
      check_sleep_ms(100); /* by then the others sleep */
      while (made < ROUNDS * TASKS && !both_helped()) {
        make_tasks();
        made += TASKS;
      }
      omp_fulfill_event(__atomic_load_n(&pending, __ATOMIC_ACQUIRE));
    }
  }
  CHECK_EQ(ran[0] + ran[1] + ran[2] + ran[3], made);
  CHECK(both_helped());
  return 0;
}
