/* detach_outside.c - tasks outside regions that follow one with detach run without a taskwait */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread outside the runtime fulfils the event of a task that was made outside any region. Its
// successors, and theirs, have run when the maker's next region begins, when the maker, a thread of
// the program's, has ended, and when the program exits: there before the program's own functions
// that were registered earlier, so that static objects are still there.
// RUN: %omp_test
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wunused-variable" /* gcc overlooks uses in depend clauses */

static omp_event_handle_t event;
static pthread_t helper;
static char object, other;
static atomic_int followed;

static void *fulfil(void *unused) {
  check_sleep_ms(20);
  omp_fulfill_event(event);
  return unused;
}

/* Makes a task that is not finished for a while, and two that follow it. */
static void make(void) {
  omp_event_handle_t mine;
#pragma omp task detach(mine) depend(out : object)
  {
    event = mine;
    CHECK_EQ(pthread_create(&helper, 0, fulfil, 0), 0);
  }
#pragma omp task depend(in : object) depend(out : other)
  followed++;
#pragma omp task depend(in : other)
  followed++;
  CHECK_EQ(pthread_join(helper, 0), 0);
}

static void *root(void *unused) {
  make();
  return unused;
}

static void before_region(void) {
  followed = 0;
  make();
#pragma omp parallel num_threads(2)
  CHECK_EQ(followed, 2);
}

static void before_end(void) {
  pthread_t thread;
  followed = 0;
  CHECK_EQ(pthread_create(&thread, 0, root, 0), 0);
  CHECK_EQ(pthread_join(thread, 0), 0);
  CHECK_EQ(followed, 2);
}

static void last(void) {
  if (followed != 2) {
    fprintf(stderr, "%d tasks have run at the program's exit\n", followed);
    _exit(1);
  }
}

int main(void) {
  CHECK_EQ(atexit(last), 0);
  for (int round = 0; round < 3; round++) {
    before_region();
    before_end();
  }
  followed = 0;
  make();
  return 0;
}
