/* reduction_groups.c - task reductions through nested taskgroups, and apart from those around a
 * region */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a task finds the items of all taskgroups around it, with plain ones in between, and
// that a parallel reduction(task) in a task of a cancelled taskgroup is complete, for its tasks are
// of another region.
// RUN: %omp_build %s -o %t
// RUN: env OMP_CANCELLATION=true %omp_run %t
#include "check.h"

/* Plain taskgroups between those with a reduction: none, one, two. */
static void add(int *x, int *y, int *z) {
#pragma omp task in_reduction(+ : x[0], y[0], z[0])
  {
    x[0] += 1;
    y[0] += 2;
    z[0] += 3;
#pragma omp task in_reduction(+ : x[0], z[0]) if (0)
    {
      x[0] += 10;
      z[0] += 30;
    }
  }
}

static void in_between(void) {
  int x = 0, y = 0, z = 0;
#pragma omp taskgroup task_reduction(+ : x)
  {
#pragma omp taskgroup
    {
#pragma omp taskgroup task_reduction(+ : y)
      {
#pragma omp taskgroup
        {
#pragma omp taskgroup
          {
#pragma omp taskgroup task_reduction(+ : z)
            for (int i = 0; i < 10; i++)
              add(&x, &y, &z);
          }
        }
      }
      CHECK_EQ(y, 20);
    }
#pragma omp taskgroup task_reduction(+ : y, z)
    {
#pragma omp taskgroup
      add(&x, &y, &z);
    }
  }
  CHECK_EQ(x, 121);
  CHECK_EQ(y, 22);
  CHECK_EQ(z, 363);
}

/* A loop's reduction around, taskgroups inside. */
static long sum;
static void in_loop(void) {
#pragma omp for reduction(task, + : sum)
  for (int i = 0; i < 20; i++) {
    int x = 0, y = 0;
#pragma omp taskgroup
    {
#pragma omp taskgroup task_reduction(+ : x, y)
      {
#pragma omp task in_reduction(+ : sum, x)
        {
          sum += 1;
          x += 2;
        }
#pragma omp taskloop in_reduction(+ : sum, y) nogroup num_tasks(2)
        for (int k = 0; k < 3; k++) {
          sum += 10;
          y += 1;
        }
      }
    }
    CHECK_EQ(x, 2);
    CHECK_EQ(y, 3);
  }
#pragma omp single
  {
    CHECK_EQ(sum, 20 * 31);
    sum = 0;
  }
}

static _Atomic(int) started, cancelled, discarded;

static void region_in_cancelled(int size) {
  int x = 0;
  started = cancelled = discarded = 0;
#pragma omp taskgroup
  {
#pragma omp task shared(x)
    {
      started = 1;
      CHECK_WAIT_UNTIL(cancelled);
#pragma omp parallel num_threads(size) reduction(task, + : x)
      {
        for (int i = 0; i < 3; i++) {
#pragma omp task in_reduction(+ : x)
          x += 1;
        }
#pragma omp taskgroup
        {
#pragma omp task in_reduction(+ : x)
          x += 10;
        }
      }
#pragma omp task shared(discarded)
      discarded++;
    }
    CHECK_WAIT_UNTIL(started);
#pragma omp task if (0)
    {
#pragma omp cancel taskgroup
      CHECK(false);
    }
    cancelled = 1;
  }
  CHECK_EQ(x, 13 * size);
  CHECK_EQ(discarded, 0);
}

int main(void) {
  omp_set_max_active_levels(2);
  for (int round = 0; round < 20; round++) {
#pragma omp parallel
    {
#pragma omp single
      in_between();
      in_loop();
    }
#pragma omp parallel num_threads(2)
    {
#pragma omp single
      region_in_cancelled(1 + round % 3);
#pragma omp barrier
    }
  }
  in_between();
  return 0;
}
