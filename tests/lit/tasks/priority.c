/* priority.c - the priority clause */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a single consumer starts tasks of higher priority first, and
// priorities above OMP_MAX_TASK_PRIORITY as that; without the variable tasks run in any order.
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t 0
// RUN: env OMP_MAX_TASK_PRIORITY=10 %omp_run %t 10
#include "check.h"

enum { TASKS = 100 };

int main(int argc, char **argv) {
  int most = argc > 1 ? atoi(argv[1]) : 0;
  CHECK_EQ(omp_get_max_task_priority(), most);
  for (int round = 0; round < 20; round++) {
    int order[TASKS], started = 0;
    _Atomic(int) ready = 0, go = 0;
    uint64_t random = (uint64_t)round;
    int priority[TASKS];
    for (int i = 0; i < TASKS; i++)
      priority[i] = (int)(check_random(&random) % 14);
#pragma omp parallel num_threads(2)
    {
      bool two = omp_get_num_threads() == 2;
      if (omp_get_thread_num() == 1) {
#pragma omp task if (0)
        { /* holds this member until all are made */
          ready = 1;
          CHECK_WAIT_UNTIL(go);
        }
      }
#pragma omp masked
      {
        if (two)
          CHECK_WAIT_UNTIL(ready);
        for (int i = 0; i < TASKS; i++) {
#pragma omp task priority(priority[i]) firstprivate(i) shared(order, started)
#pragma omp critical
          order[started++] = i;
        }
        if (most > 0) { /* alone with them: the other waits in its task */
#pragma omp taskwait
        }
        go = 1;
      }
    }
    CHECK_EQ(started, TASKS);
    for (int i = 1; i < TASKS && most > 0; i++) {
      int a = priority[order[i - 1]], b = priority[order[i]];
      a = a < most ? a : most;
      b = b < most ? b : most;
      CHECK(a >= b);
    }
  }
  return 0;
}
