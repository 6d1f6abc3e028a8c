/* fork_released.c - fork() in a region, whose child has tasks that an event releases */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the child calls none of its parent's threads for tasks that become ready while a
// suspended task waits for them. nanogomp-only: a child of libgomp cannot use the team it was
// forked in.
// REQUIRES: nanogomp
// UNSUPPORTED: sanitizer
// RUN: %omp_test
#include "check.h"

#include "children.h"
#include <pthread.h>
#include <stdint.h>

enum { LAST = 3 };

static int n;
static char x; /* of dependences */

static void *fulfil(void *event) {
  usleep(20000); /* until the region's thread sleeps */
  omp_fulfill_event((omp_event_handle_t)(uintptr_t)event);
  return 0;
}

static void released(void) {
  n = 0;
#pragma omp taskgroup
#pragma omp task untied
  {
    omp_event_handle_t event;
    pthread_t thread;
#pragma omp task detach(event) depend(out : x)
    {}
    CHECK_EQ(pthread_create(&thread, 0, fulfil, (void *)(uintptr_t)event), 0);
#pragma omp task depend(inout : x)
    n++;
    for (int i = 0; i < LAST; i++) {
#pragma omp task depend(in : x)
      {
#pragma omp atomic
        n++;
      }
    }
#pragma omp taskwait
    CHECK_EQ(pthread_join(thread, 0), 0);
  }
  CHECK_EQ(n, 1 + LAST);
}

int main(void) {
  for (int members = 1; members <= 3; members++) {
#pragma omp parallel num_threads(members)
#pragma omp master
    {
      pid_t child = fork();
      if (child == 0) {
        child_limit(10);
        for (int i = 0; i < 3; i++)
          released();
        _exit(0);
      }
      expect_child(child, 0);
    }
  }
  return 0;
}
