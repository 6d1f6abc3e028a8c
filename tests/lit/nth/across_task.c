/* across_task.c - nano-threads that OpenMP's tasks wait for */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a task made with detach has ended only when its event is fulfilled and the
// nano-threads have ended that name its handle as their successor, and that later siblings,
// taskwait and taskgroup wait for it; that a task made by nth_task() is a child of the calling one
// that has ended with its nano-threads; and what is refused.
// RUN: %nth_test
#include "check.h"
#include <errno.h>
#include <nanogomp/nth.h>

enum { MANY = 50 };
static int processors;

static void add(long *sum) { __atomic_fetch_add(sum, 1, __ATOMIC_RELAXED); }

static void make(struct nth_desc *successor, long n, long *sum) {
  for (long i = 0; i < n; i++)
    CHECK_EQ(nth_to_lrq((int)(i % processors), nth_create_ls(add, 0, successor, 1, sum)), 0);
}

/* The event is fulfilled before its nano-threads have ended, or behind them. */
static void detached(long turn) {
  long sum = 0, x = 0;
  int seen = 0;
  omp_event_handle_t event;
#pragma omp task detach(event) depend(out : x) shared(x)
  x = 1;
  struct nth_desc *task = nth_task_of(event);
  CHECK(task);
  CHECK_EQ(nth_depadd(task, MANY), 0);
#pragma omp task depend(in : x) shared(sum, x, seen)
  {
    CHECK_EQ(sum, MANY);
    CHECK_EQ(x, 1);
    seen = 1;
  }
  if (turn % 2)
    omp_fulfill_event(event);
  make(task, MANY, &sum);
  if (turn % 2 == 0)
    omp_fulfill_event(event);
#pragma omp taskwait depend(in : x)
  CHECK_EQ(sum, MANY);
#pragma omp taskwait
  CHECK(seen);
}

/* One that makes its nano-threads itself, deferred or not. */
static void by_itself(bool deferred) {
  long sum = 0;
#pragma omp taskgroup
  {
    omp_event_handle_t event;
#pragma omp task detach(event) shared(sum) if (deferred)
    {
      struct nth_desc *task = nth_task_of(event);
      CHECK_EQ(nth_depadd(task, MANY), 0);
      make(task, MANY, &sum);
      omp_fulfill_event(event);
    }
    if (!deferred)
      CHECK_EQ(sum, MANY);
  }
  CHECK_EQ(sum, MANY);
}

static void children(void) {
  long sum = 0;
  struct nth_desc *task = nth_task(MANY);
  CHECK(task);
  CHECK_EQ(nth_depadd(task, MANY), 0);
  make(task, 2 * MANY, &sum);
#pragma omp taskwait
  CHECK_EQ(sum, 2 * MANY);
#pragma omp taskgroup
  make(nth_task(MANY), MANY, &sum);
  CHECK_EQ(sum, 3 * MANY);
#pragma omp task if (0) shared(sum)
  {
    make(nth_task(MANY), MANY, &sum);
#pragma omp taskwait
    CHECK_EQ(sum, 4 * MANY);
  }
}

/* A nano-thread with a task and a nano-thread as successors. */
static void told(int *flag) { *flag = 1; }
static void two_kinds(void) {
  int flag = 0, ran = 0;
  struct nth_desc *task = nth_task(2), *behind = nth_create_ls(told, 1, task, 1, &flag);
  CHECK_EQ(nth_to_lrq(0, nth_create(told, 0, 2, 1, behind, task, &ran)), 0);
#pragma omp taskwait
  CHECK(flag && ran);
}

static void refused(void) {
  errno = 0;
  CHECK(!nth_task_of((omp_event_handle_t)0) && errno == EINVAL);
  errno = 0;
  CHECK(!nth_task(0) && errno == EINVAL);
  CHECK(!nth_task(-1) && errno == EINVAL);
  errno = 0;
  CHECK(!nth_task(1L << 40) && errno == EOVERFLOW);
  long sum = 0;
  struct nth_desc *task = nth_task(1);
  CHECK_EQ(nth_depadd(task, -1), EINVAL);
  CHECK_EQ(nth_depadd(task, (1L << 28) - 1), EOVERFLOW);
  CHECK(nth_to_lrq(0, task) != 0);
  CHECK(nth_batch_to_lrq_end(0, task, task) != 0);
  CHECK(!nth_batch_get_next(task));
  CHECK_EQ(nth_depend(task, 0, NULL, NULL), EINVAL);
  make(task, 1, &sum);
#pragma omp taskwait
  CHECK_EQ(sum, 1);
}

static void all(long turn) {
  detached(turn);
  by_itself(true);
  by_itself(false);
  children();
  two_kinds();
}

int main(void) {
  errno = 0;
  CHECK(!nth_task(1) && errno == ENXIO);
  /* somebody else has to run nano-threads while the initial thread is in taskwait */
  CHECK_EQ(nth_init(omp_get_max_threads() > 1 ? 0 : 2), 0);
  processors = nth_processors();
  refused();
  for (long turn = 0; turn < CHECK_TIMES(30); turn++) {
    all(turn);
#pragma omp parallel
#pragma omp single
    all(turn);
#pragma omp parallel num_threads(3)
    all(turn);
    long sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single nowait
    make(nth_task(MANY), MANY, &sum);
    CHECK_EQ(sum, MANY); /* the end of the region has waited */
  }
  CHECK_EQ(nth_exit(), 0);
  return 0;
}
