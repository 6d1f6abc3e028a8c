/* untied_yield_live.c - untied tasks that yield do not all begin before the first one ends */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A runtime that suspends a task in taskyield gives each one that has begun a stack of its own. Of
// the 21,890 tasks of a Fibonacci tree whose tasks all yield, less than 200 for each member have
// begun and not ended at any time. All of them would begin before the first one ends if tasks that
// can go on had to wait for those that have not begun. The tasks take no lock: while a thread that
// has one is preempted, the others begin task after task.
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: env OMP_NUM_THREADS=1 %omp_run %t
#include "check.h"

#include <stdbool.h>

enum { TREE = 20, TASKS = 21890, LIVE_EACH = 200 };

static int live, most, begun;

static void begin(void) {
  int now = __atomic_add_fetch(&live, 1, __ATOMIC_RELAXED);
  __atomic_add_fetch(&begun, 1, __ATOMIC_RELAXED);
  int before = __atomic_load_n(&most, __ATOMIC_RELAXED);
  while (now > before && !__atomic_compare_exchange_n(&most, &before, now, true, __ATOMIC_RELAXED,
                                                      __ATOMIC_RELAXED)) {}
}

static long fib(int n) {
  long a, b;
  if (n < 2) {
#pragma omp taskyield
    return n;
  }
#pragma omp task untied shared(a)
  {
    begin();
    a = fib(n - 1);
    __atomic_sub_fetch(&live, 1, __ATOMIC_RELAXED);
  }
#pragma omp task untied shared(b)
  {
    begin();
    b = fib(n - 2);
    __atomic_sub_fetch(&live, 1, __ATOMIC_RELAXED);
  }
#pragma omp taskyield
#pragma omp taskwait
  return a + b;
}

int main(void) {
  long sum = 0;
#pragma omp parallel
#pragma omp single
  sum = fib(TREE);
  CHECK_EQ(sum, 6765);
  CHECK_EQ(begun, TASKS);
  printf("begun and not ended: %d at most\n", most);
  CHECK(most < LIVE_EACH * omp_get_max_threads());
  return 0;
}
