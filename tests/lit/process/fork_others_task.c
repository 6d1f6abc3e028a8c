/* fork_others_task.c - fork() in another member's task, which a member runs at a barrier */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the child's own implicit task waits for no task that it made before: its parent runs
// that one. nanogomp-only: a child of libgomp hangs at the barrier.
// REQUIRES: nanogomp
// UNSUPPORTED: sanitizer
// RUN: %omp_test
#include "check.h"

#include "children.h"

enum { WAIT, DEPEND, GROUP, WAYS };

static _Atomic bool begun, made, over;
static _Atomic bool is_child;
static int n;

static void fork_here(void) {
  pid_t child = fork();
  if (child == 0) {
    child_limit(10);
    is_child = true;
    return;
  }
  expect_child(child, 0);
  over = true;
}

/* By member 0: what it does behind the barrier. */
static void go_on(int way) {
  n = 0;
  switch (way) {
  case WAIT: {
#pragma omp taskwait
    break;
  }
  case DEPEND:
#pragma omp task depend(inout : n)
    n++;
#pragma omp taskwait depend(in : n)
    CHECK_EQ(n, 1);
    break;
  default:
#pragma omp taskgroup
#pragma omp task
    n++;
    CHECK_EQ(n, 1);
    break;
  }
}

int main(void) {
  for (int way = 0; way < WAYS && !is_child; way++) {
    begun = made = over = false;
#pragma omp parallel num_threads(3)
    {
      int me = omp_get_thread_num();
      if (me == 0) {
#pragma omp task depend(inout : n)
        {
          begun = true;
          CHECK_WAIT_UNTIL(over);
        }
        CHECK_WAIT_UNTIL(begun); /* by member 2 */
        made = true;
      } else if (me == 1) {
        CHECK_WAIT_UNTIL(made);
#pragma omp task
        fork_here();
        CHECK_WAIT_UNTIL(over || is_child);
      }
#pragma omp barrier
      if (me == 0)
        go_on(way);
    }
  }
  return 0;
}
