/* producers.c - tasks made and run by more members than CPUs */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that tasks of one producer (who waits when too many are open), of all members, of chains
// and of trees run once each, while members wait in critical regions and barriers; that the data
// of the member who waits is its own afterwards, and a tied task stays with its thread over its
// waits.
// RUN: %members_test
#include "members.h"

enum { TASKS = 208, OPEN = 40 };

static long made, run, chained;

static void consume(int i) {
  pthread_t self = pthread_self();
  long *local = members_local;
  if (i % 4 == 0)
    pass_alone((unsigned)i / 4);
  CHECK(pthread_equal(self, pthread_self()));
  CHECK(local == members_local);
  __atomic_add_fetch(&run, 1, __ATOMIC_RELAXED);
}

static void one_producer(void) {
#pragma omp single
  for (int i = 0; i < TASKS; i++) {
    while (made - __atomic_load_n(&run, __ATOMIC_RELAXED) > OPEN) {
#pragma omp taskyield
    }
    made++;
#pragma omp task firstprivate(i)
    consume(i);
  }
}

static void all_produce(void) {
  for (int i = 0; i < TASKS / MEMBERS; i++) {
    __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED);
#pragma omp task firstprivate(i)
    consume(i);
    if (i % 5 == 0) {
#pragma omp taskwait
    }
  }
}

/* Each member's own chain; its links come in order. */
static void chains(int me) {
  int link = 0;
  for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : link) shared(link) firstprivate(i)
    {
      CHECK_EQ(link, i);
      if (i % 6 == 0)
        pass_alone((unsigned)(me + i));
      link = i + 1;
      __atomic_add_fetch(&chained, 1, __ATOMIC_RELAXED);
    }
  }
#pragma omp taskwait
  CHECK_EQ(link, 20);
}

static long tree(int depth) {
  long left = 1, right = 1;
  if (depth > 0) {
#pragma omp task shared(left)
    left = tree(depth - 1);
#pragma omp task shared(right)
    right = tree(depth - 1);
#pragma omp taskwait
  }
  return left + right;
}

int main(void) {
  long regions = 0;
  double end = check_seconds() + 1;
  for (; regions < 10 && (regions == 0 || check_seconds() < end); regions++) {
#pragma omp parallel num_threads(MEMBERS)
    {
      int me = omp_get_thread_num();
      struct identity who;
      identity_take(&who, me);
      one_producer();
      all_produce();
#pragma omp barrier
      CHECK_EQ(run, made);
#pragma omp barrier
      chains(me);
      CHECK_EQ(tree(5), 64);
      errno = 1000 + me;
      identity_check(&who);
    }
  }
  CHECK_EQ(made, 2 * TASKS * regions);
  CHECK_EQ(run, made);
  CHECK_EQ(chained, 20 * MEMBERS * regions);
  members_end();
  return 0;
}
