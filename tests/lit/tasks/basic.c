/* basic.c - task: clauses if, final, mergeable, untied, priority */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each task runs exactly once with its firstprivate values, that if(0) runs at once on
// the same thread, and that final tasks make all tasks inside them included and final.
// RUN: %omp_test
#include "check.h"
#include <pthread.h>

enum { TASKS = 200 };

static int ran[TASKS];

static void included(int depth) {
  CHECK(omp_in_final());
  if (depth == 0)
    return;
  pthread_t self = pthread_self();
  int done = 0;
#pragma omp task shared(done) firstprivate(depth)
  {
    CHECK(pthread_equal(self, pthread_self()));
    included(depth - 1);
    done = 1;
  }
  CHECK_EQ(done, 1); /* included: finished when task returns */
}

static void create(int round) {
  for (int i = 0; i < TASKS; i++) {
    int check = i + round;
#pragma omp task firstprivate(i, check, round) mergeable
    {
      CHECK_EQ(check, i + round);
      CHECK(!omp_in_final());
#pragma omp atomic
      ran[i]++;
    }
    check = -1;
  }
  for (int i = 0; i < 20; i++) {
    pthread_t self = pthread_self();
    int undeferred = 0;
#pragma omp task if (0) shared(undeferred)
    {
      CHECK(pthread_equal(self, pthread_self()));
      undeferred = 1;
    }
    CHECK_EQ(undeferred, 1);
#pragma omp task final(i % 2) firstprivate(i)
    {
      if (i % 2)
        included(3);
      else
        CHECK(!omp_in_final());
    }
#pragma omp task untied priority(i)
#pragma omp atomic
    ran[i]++;
  }
}

int main(void) {
  double end = check_seconds() + 1.5;
  for (int round = 0; round < 50 && check_seconds() < end; round++) {
#pragma omp parallel
    {
      CHECK(!omp_in_final());
#pragma omp single
      create(round);
    }
    for (int i = 0; i < TASKS; i++)
      CHECK_EQ(ran[i], round + 1 + (i < 20 ? round + 1 : 0));
  }
  return 0;
}
