/* fork_unfinished_child.c - fork while other members have unfinished tasks */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that in the child's next regions no member waits for a task, a taskgroup or a dependence
// that the member of the same number had in the parent.
// nanogomp-only: libgomp's child waits for ever for threads that it does not have.
// REQUIRES: nanogomp
// The address sanitizer of gcc 12 does not unlock its allocator in a forked child.
// UNSUPPORTED: asan, emulated
// RUN: %omp_test
#include "children.h"

static _Atomic(int) busy, go;
static int object[4];

static void hold(void) {
  busy++;
  CHECK_WAIT_UNTIL(go);
}

/* A member's unfinished task; the member itself is in the middle of what comes behind it. */
static void plain(void) {
#pragma omp task
  hold();
  hold();
}

static void in_group(void) {
#pragma omp taskgroup
  {
#pragma omp task
    hold();
    hold();
  }
}

static void with_dependence(void) {
  int *mine = &object[omp_get_thread_num()];
#pragma omp task depend(inout : *mine)
  hold();
#pragma omp task depend(inout : *mine)
  check_busy(1);
  hold();
}

static void work(void) {
  int ran = 0, *mine = &object[omp_get_thread_num()];
#pragma omp task shared(ran)
#pragma omp atomic
  ran++;
#pragma omp taskwait
  CHECK_EQ(ran, 1);
#pragma omp taskgroup
  for (int i = 0; i < 2; i++) {
#pragma omp task shared(ran) depend(inout : *mine)
    ran++;
  }
  CHECK_EQ(ran, 3);
#pragma omp task if (0) depend(inout : *mine) shared(ran)
  ran++;
  CHECK_EQ(ran, 4);
}

static void fork_beside(void (*tasks)(void)) {
  pid_t parent = getpid(), child = -1;
  busy = go = 0;
#pragma omp parallel num_threads(4)
  if (omp_get_thread_num() != 0) {
    tasks();
  } else {
    CHECK_WAIT_UNTIL(busy == 3);
    child = fork();
    if (child == 0)
      child_limit(10);
    go = 1;
  }
  if (getpid() != parent) {
    for (int size = 2; size < 6; size++) {
#pragma omp parallel num_threads(size < 5 ? size : 4)
      work();
    }
    _exit(12);
  }
  expect_child(child, 12);
}

int main(void) {
  fork_beside(plain);
  fork_beside(in_group);
  fork_beside(with_dependence);
  return 0;
}
