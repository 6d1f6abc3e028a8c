/* taskloop_first.c - members that fall asleep while the first task of a taskloop begins */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that as many tasks of a taskloop as there are members run at the same time. The tasks are
// queued, and then their maker begins one, which takes longest in the first region of a process.
// Members that go to sleep just then see no task, and are to be called when the rest is back in
// the queue.
// nanogomp-only: libgomp promises no such thing.
// REQUIRES: nanogomp
// UNSUPPORTED: tool
// RUN: %omp_test
#include "check.h"

#include <sys/wait.h>

static _Atomic(int) here;

static void first_region(void) {
#pragma omp parallel
  {
    int n = omp_get_num_threads();
    if (omp_get_thread_num() == 0) {
      check_sleep_ms(0); /* the others are at the barrier */
#pragma omp taskloop num_tasks(n)
      for (int i = 0; i < n; i++) {
        here++;
        CHECK_WAIT_UNTIL(here == n);
      }
    }
#pragma omp barrier
  }
}

int main(void) {
  for (int i = 0; i < 50; i++) {
    pid_t child = fork();
    int status;
    if (child == 0) {
      first_region();
      _exit(0);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK_EQ(status, 0);
  }
  return 0;
}
