/* outside_task.c - a task that runs while a thread of the program's own waits for a nano-thread */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that such a task has a descriptor of its own: it waits for nano-threads as a thread does,
// and may leave some unfinished; nothing of that is counted for its thread.
// RUN: %nth_test
#include "check.h"
#include <errno.h>
#include <nanogomp/nth.h>
#include <pthread.h>

static void add(long *sum, long i) { __atomic_fetch_add(sum, i, __ATOMIC_RELAXED); }
static void wait_for(long *flag) {
  while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE))
    check_sleep_ms(1);
}

enum { TURNS = 200 };
static long released[TURNS];

/* Waits for ten nano-threads; so does the task that it makes. */
static void task(struct nth_desc *thread, int depth) {
  struct nth_desc *me = nth_self();
  long sum = 0;
  CHECK(me && me != thread);
  CHECK_EQ(nth_block(), EINVAL); /* nothing is counted yet */
  CHECK_EQ(nth_depadd(me, 11), 0);
  for (long i = 1; i <= 10; i++)
    CHECK_EQ(nth_to_lrq((int)i % nth_processors(), nth_create_ls(add, 0, me, 2, &sum, i)), 0);
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(sum, 55);
  if (depth > 0) {
#pragma omp task firstprivate(depth)
    task(NULL, depth - 1);
#pragma omp taskwait
    CHECK(nth_self() == me);
  }
}

static void member(int turn) {
  struct nth_desc *me = nth_self();
  long flag = 0;
#pragma omp task shared(flag) firstprivate(me)
  {
    task(me, 2);
    CHECK_EQ(nth_depadd(nth_self(), 1), 0);
    CHECK_EQ(nth_to_lrq(0, nth_create_ls(wait_for, 0, nth_self(), 1, &released[turn])), 0);
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
  }
  CHECK_EQ(nth_depadd(me, 2), 0);
  CHECK_EQ(nth_to_lrq(1, nth_create_ls(wait_for, 0, me, 1, &flag)), 0);
  CHECK_EQ(nth_block(), 0);
  CHECK(nth_self() == me && flag);
  __atomic_store_n(&released[turn], 1, __ATOMIC_RELEASE);
}

static struct nth_desc *initial;
static void nothing(void) {}

static void *thread(void *arg) {
  for (int turn = 0; turn < CHECK_TIMES(TURNS); turn++) {
#pragma omp parallel num_threads(2)
    {
      if (omp_get_thread_num() == 0)
        member(turn);
      else
        wait_for(&released[turn]); /* it runs no task */
    }
  }
  CHECK_EQ(nth_to_lrq(0, nth_create_ls(nothing, 0, initial, 0)), 0);
  return arg;
}

int main(void) {
  pthread_t t;
  CHECK_EQ(nth_init(2), 0);
  initial = nth_self();
  CHECK_EQ(nth_depadd(initial, 2), 0);
  CHECK_EQ(pthread_create(&t, NULL, thread, NULL), 0);
  CHECK_EQ(nth_block(), 0); /* as processor 0 */
  CHECK_EQ(pthread_join(t, NULL), 0);
  return 0;
}
