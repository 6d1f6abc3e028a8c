/* fork_events.c - fork between a detached task and the event that ends it */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a child neither waits for the event of a task that its parent made, nor is disturbed
// when it fulfils it too: with the task's body ended, in its body, undeferred, in regions and
// outside; that the tasks behind it run in the parent only; and that the child's own events work.
// nanogomp-only: libgomp's child waits for the event, or for threads that it does not have.
// REQUIRES: nanogomp
// The address sanitizer of gcc 12 does not unlock its allocator in a forked child.
// UNSUPPORTED: asan, emulated
// RUN: %omp_test
#include "children.h"
#include <pthread.h>

static pid_t parent;
static omp_event_handle_t handle;
static _Atomic(int) known, next_ran;
static int object;

static pid_t fork_limited(void) {
  pid_t child = fork();
  if (child == 0)
    child_limit(5);
  return child;
}

static void own_event(void) {
  omp_event_handle_t event;
  int ran = 0;
#pragma omp task detach(event) depend(out : object) shared(ran)
  {
    ran++;
    omp_fulfill_event(event);
  }
#pragma omp task depend(in : object) shared(ran)
  ran++;
#pragma omp taskwait
  CHECK_EQ(ran, 2);
}

/* Both processes fulfil the event and wait. */
static pid_t between(bool fulfil_in_child, bool next) {
  omp_event_handle_t event;
  known = next_ran = 0;
#pragma omp task detach(event) depend(out : object)
  {
    handle = event;
    known = 1;
  }
  if (next) {
#pragma omp task depend(in : object)
    {
      if (getpid() != parent)
        _exit(98);
      next_ran = 1;
    }
  }
  while (!known) { /* in a region of one, the maker has to run the task */
#pragma omp taskyield
  }
  pid_t child = fork_limited();
  if (child != 0 || fulfil_in_child)
    omp_fulfill_event(handle);
#pragma omp taskwait
  if (child == 0) {
    own_event();
    use_runtime(3);
  } else {
    CHECK_EQ(next_ran, next);
  }
  return child;
}

static void *fulfil(void *unused) {
  CHECK_WAIT_UNTIL(known);
  omp_fulfill_event(handle);
  return unused;
}

/* An undeferred task forks; another thread of the parent fulfils its event. */
static pid_t undeferred(void) {
  omp_event_handle_t event;
  pid_t child = -1;
  pthread_t thread;
  known = 0;
  CHECK_EQ(pthread_create(&thread, NULL, fulfil, NULL), 0);
#pragma omp task if (0) detach(event) shared(child)
  {
    handle = event;
    child = fork_limited();
    if (child != 0)
      known = 1;
  }
#pragma omp taskwait
  if (child == 0)
    own_event();
  else
    CHECK_EQ(pthread_join(thread, NULL), 0);
  return child;
}

static void expect(pid_t child) {
  if (child == 0)
    _exit(16);
  expect_child(child, 16);
}

int main(void) {
  parent = getpid();
#pragma omp parallel num_threads(2)
  check_busy(10);
  for (int way = 0; way < 4; way++)
    expect(between(way % 2, way / 2));
  expect(undeferred());
  for (int size = 1; size < 4; size++) {
    pid_t child = -1;
#pragma omp parallel num_threads(size)
    {
#pragma omp masked
      {
        for (int way = 0; way < 4; way++)
          expect(between(way % 2, way / 2));
        expect(undeferred());
        child = between(true, true);
      }
#pragma omp barrier
    }
    expect(child); /* the child comes out of the region */
  }
  return 0;
}
