/* taskgroup_again.c - taskgroups that begin where others have just ended, and many open at once */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each of many taskgroups waits for its own tasks, though they finish on other members,
// in the midst of chains or of loops; that a hundred groups can be open at once in each of several
// tasks; and that a group knows nothing of the reductions of those that ended before it, but those
// of the ones around it.
// RUN: %omp_test
#include "check.h"

static void leave_children(_Atomic(int) *ran, int n) {
  for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(ran)
    ++*ran;
  }
  ++*ran;
}

/* Children and grandchildren, a chain of dependences, a loop. */
static void one_of_a_kind(int kind) {
  _Atomic(int) ran = 0;
  int x = 0, want = 1 + kind % 7;
#pragma omp taskgroup
  {
    if (kind % 3 == 0) {
#pragma omp task shared(ran)
      leave_children(&ran, want - 1);
    } else if (kind % 3 == 1) {
      for (int i = 0; i < want; i++) {
#pragma omp task depend(inout : x) shared(ran, x)
        {
          CHECK_EQ(ran, x);
          x++;
          ran++;
        }
      }
    } else {
#pragma omp taskloop grainsize(1) nogroup shared(ran)
      for (int i = 0; i < want; i++)
        ran++;
    }
  }
  CHECK_EQ(ran, want);
}

static void nested(int depth) {
  _Atomic(int) ran = 0;
#pragma omp taskgroup
  {
#pragma omp task shared(ran)
    leave_children(&ran, 1);
    if (depth > 1)
      nested(depth - 1);
  }
  CHECK_EQ(ran, 2);
}

/* What a plain group between two with reductions adds to. */
static void reductions(void) {
  int outer = 0, passed = 0;
#pragma omp taskgroup task_reduction(+ : outer)
  {
#pragma omp taskgroup task_reduction(+ : passed)
    {
#pragma omp task in_reduction(+ : passed)
      passed++;
    }
    CHECK_EQ(passed, 1);
#pragma omp taskgroup
    {
      for (int i = 0; i < 3; i++) {
#pragma omp task in_reduction(+ : outer)
        outer++;
      }
    }
  }
  CHECK_EQ(outer, 3);
  CHECK_EQ(passed, 1);
}

int main(void) {
  for (int k = 0; k < 30; k++)
    one_of_a_kind(k);
  nested(100);
  for (int round = 0; round < CHECK_TIMES(30); round++) {
#pragma omp parallel
    {
      for (int k = 0; k < 30; k++)
        one_of_a_kind(k + omp_get_thread_num());
#pragma omp for
      for (int i = 0; i < 4; i++) {
        for (int t = 0; t < 3; t++) {
#pragma omp task
          nested(i == 0 ? 100 : 1 + t);
        }
        reductions();
      }
    }
  }
  return 0;
}
