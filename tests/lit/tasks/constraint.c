/* constraint.c - a lock held over taskwait while a thousand siblings want it */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the scheduling constraint of tied tasks (OpenMP 5.2, section 12.9) in taskwait, taskgroup,
// taskyield, taskwait depend and undeferred tasks with depend: nothing but descendants starts
// there.
// RUN: %omp_test
#include "check.h"

enum { SIBLINGS = 1000, HOLDERS = 40 };
static omp_lock_t lock;
static int holder; /* guarded by the lock */
static long entered;
int y; /* for its address */

static void enter(int me) {
  omp_set_lock(&lock);
  CHECK_EQ(holder, 0);
  holder = me;
}
static void leave(int me) {
  CHECK_EQ(holder, me);
  holder = 0;
  entered++;
  omp_unset_lock(&lock);
}

static void holds(int i) {
  int x = 0;
  enter(i + 1);
  switch (i % 5) {
  case 0:
#pragma omp task shared(x)
    x++;
#pragma omp taskwait
    break;
  case 1:
#pragma omp taskgroup
  {
#pragma omp task shared(x)
    {
#pragma omp task shared(x)
      x++;
    }
  } break;
  case 2:
#pragma omp task shared(x)
    x++;
    for (int n = 0; n < 20; n++) {
#pragma omp taskyield
    }
#pragma omp taskwait
    break;
  case 3:
#pragma omp task shared(x) depend(out : x)
    x++;
#pragma omp taskwait depend(in : x)
    CHECK_EQ(x, 1);
    break;
  default:
#pragma omp task shared(x) depend(out : y)
    x++;
#pragma omp task if (0) depend(in : y) shared(x)
    CHECK_EQ(x, 1);
  }
#pragma omp taskwait
  CHECK_EQ(x, 1);
  leave(i + 1);
}

int main(void) {
  omp_init_lock(&lock);
  for (int round = 0; round < 5; round++) {
    entered = 0;
#pragma omp parallel
    {
#pragma omp for nowait
      for (int i = 0; i < SIBLINGS; i++) {
#pragma omp task
        {
          enter(-1);
          leave(-1);
        }
      }
#pragma omp for
      for (int i = 0; i < HOLDERS; i++) {
#pragma omp task firstprivate(i)
        holds(i);
      }
    }
    CHECK_EQ(entered, SIBLINGS + HOLDERS);
  }
  omp_destroy_lock(&lock);
  return 0;
}
