/* fence_early.c - the process announces its fences before it has a second thread */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that no region, the first one with tasks included, and none of a forked child makes the
// call that waits for all CPUs (some 15 ms) once main runs: whoever makes it is killed.
// RUN: %omp_test
// UNSUPPORTED: emulated
#include <linux/membarrier.h>
#include <sys/wait.h>

#include "check.h"
#include "filter.h"

static void forbid_announcement(void) {
  CHECK_EQ(filter_call_with(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED,
                            SECCOMP_RET_KILL_PROCESS),
           0);
}

/* One member waits in taskwait, the others at the barrier, until all are asleep. */
static void tasks(void) {
  long done = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(done)
    {
      check_sleep_ms(30);
#pragma omp atomic
      done++;
    }
#pragma omp task shared(done)
#pragma omp atomic
    done++;
#pragma omp taskwait
  }
  CHECK_EQ(done, 2);
}

static void ordered(void) {
  int next = 0;
#pragma omp parallel for ordered schedule(static, 1)
  for (int i = 0; i < 4; i++) {
    if (i == 0)
      check_sleep_ms(30);
#pragma omp ordered
    CHECK_EQ(next++, i);
  }
}

static void regions(void) {
  tasks();
  ordered();
}

static void in_child(void) {
  int status;
  pid_t child = fork();
  if (child == 0) {
    regions();
    _exit(0);
  }
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
}

int main(void) {
  forbid_announcement();
  in_child();
  regions();
  return 0;
}
