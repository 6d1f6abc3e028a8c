/* detach_thread_ends.c - a thread ends before the event of its task is fulfilled */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that an event of a task made by a pthread outside any region may be fulfilled after that
// pthread has ended. The successors run when the program exits.
// nanogomp-only: libgomp waits for the event in the task construct.
// REQUIRES: nanogomp
// UNSUPPORTED: asan
// (the record of such a thread is kept, which LeakSanitizer counts)
// RUN: %omp_test
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

enum { ROUNDS = 20 };

static omp_event_handle_t handle;
static _Atomic(int) bodies, followed;
int x;

static void *root(void *unused) {
  omp_event_handle_t event;
#pragma omp task detach(event) depend(out : x)
  {
    handle = event;
    bodies++;
  }
#pragma omp task depend(in : x)
  followed++;
  return unused;
}

static void last(void) {
  if (followed != ROUNDS) {
    fprintf(stderr, "%d of %d successors have run at the program's exit\n", followed, ROUNDS);
    _exit(1);
  }
}

int main(void) {
  CHECK_EQ(atexit(last), 0);
  for (int round = 0; round < ROUNDS; round++) {
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, 0, root, 0), 0);
    pthread_join(thread, 0);
    CHECK_EQ(bodies, round + 1);
    omp_fulfill_event(handle);
#pragma omp parallel num_threads(3)
    check_busy(10);
  }
  return 0;
}
