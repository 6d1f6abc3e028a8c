/* fork_event_thread.c - a thread of the child's fulfils an event, in the region of the fork */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread is no member, so what it makes ready is for the team, whose slaves the parent has.
// nanogomp-only: a fork in a region.
// REQUIRES: nanogomp
// UNSUPPORTED: asan, tsan, emulated
// RUN: %omp_test
#include "children.h"
#include <pthread.h>
#include <unistd.h>

static void *fulfil(void *event) {
  usleep(1000);
  omp_fulfill_event(*(omp_event_handle_t *)event);
  return 0;
}

static int tasks_of_child(void) {
  omp_event_handle_t event;
  pthread_t thread;
  int x = 1;
  child_limit(10);
#pragma omp task detach(event) shared(x) depend(inout : x)
  x *= 3;
  CHECK_EQ(pthread_create(&thread, 0, fulfil, &event), 0);
#pragma omp task shared(x) depend(inout : x)
  x += 1;
#pragma omp taskwait
  CHECK_EQ(pthread_join(thread, 0), 0);
  return x == 4 ? 0 : 1;
}

int main(void) {
  for (int members = 1; members <= 3; members++)
    for (int who = 0; who < members; who++) {
#pragma omp parallel num_threads(members)
      if (omp_get_thread_num() == who) {
        pid_t child = fork();
        if (child == 0)
          _exit(tasks_of_child());
        expect_child(child, 0);
      }
    }
  return 0;
}
