/* at_the_same_time.c - as many tasks as members, which wait for each other without a call of the
 * runtime */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each member that waits gets a task, also when it sleeps, and others that run tasks
// could have made up for it: nobody but the sleepers can run the last ones.
// RUN: %omp_test
#include "check.h"

static void meet(_Atomic(int) *there, int members) {
  ++*there;
  while (*there < members)
    check_sleep_ms(1);
}

int main(void) {
  for (int round = 0; round < 20; round++) {
    static _Atomic(int) there[20];
#pragma omp parallel
    {
      int members = omp_get_num_threads();
#pragma omp single
      {
        if (round % 2)
          check_sleep_ms(20); /* they sleep by then */
        for (int i = 0; i < members; i++) {
#pragma omp task
          meet(&there[round], members);
        }
      }
      CHECK_EQ(there[round], members);
    }
  }
  return 0;
}
