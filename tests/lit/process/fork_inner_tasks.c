/* fork_inner_tasks.c - fork() in an inner region while the outer one has tasks that nobody has
 * taken */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a child made by a slave of the outer region, in an inner one or not, ends when it has
// left both: the tasks that other members of the outer region keep are the parent's, and no reason
// to stay. nanogomp-only: a child of libgomp cannot use the team it was forked in.
// REQUIRES: nanogomp
// UNSUPPORTED: sanitizer
// RUN: %omp_test
#include "check.h"

#include <sys/wait.h>

static _Atomic(bool) made, over;

static void fork_here(void) {
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0)
    return;
  int status = -1;
  CHECK_WAIT_UNTIL(waitpid(child, &status, WNOHANG) == child);
  CHECK_EQ(status, 0);
}

static void regions(int inner) {
  made = over = false;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      for (int i = 0; i < 5; i++) {
#pragma omp task
        check_busy(10);
      }
      made = true;
      CHECK_WAIT_UNTIL(over); /* keeps them */
    } else {
      pid_t parent = getpid();
      CHECK_WAIT_UNTIL(made);
#pragma omp parallel num_threads(inner)
      {
#pragma omp single
        fork_here();
      }
      over = getpid() == parent;
    }
  }
}

int main(void) {
  pid_t parent = getpid();
  omp_set_max_active_levels(2);
  for (int r = 0; r < 5; r++) {
    regions(1);
    regions(2);
  }
  CHECK_EQ(getpid(), parent);
  return 0;
}
