/* interposed.c - a program's own functions under names of the runtime */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the library never calls the program's functions when these have the names of entries
// or API functions (each ends the test), and that the program does get its own.
// RUN: %omp_test
#include "check.h"

#define MINE(result, name, ...)                                                                    \
  __attribute__((visibility("default"))) result name(__VA_ARGS__) {                                \
    fprintf(stderr, "the library called the program's " #name "\n");                               \
    _exit(1);                                                                                      \
  }

MINE(void, GOMP_taskyield, void)
MINE(void, GOMP_atomic_start, void)
MINE(void, GOMP_critical_end, void)
MINE(int, omp_in_parallel, void)
MINE(int, omp_get_max_threads, void)
MINE(int, omp_get_num_procs, void)
MINE(void, omp_set_num_threads, int n __attribute__((unused)))
MINE(void, omp_set_lock, omp_lock_t *lock __attribute__((unused)))
MINE(int, omp_get_thread_limit, void)
MINE(int, nth_init, void)
MINE(void, nth_create, void)
MINE(void, nth_yield, void)

/* This one the program calls. */
double omp_get_wtime(void) { return 4711; }

int main(void) {
  long sum = 0, tasks = 0, visits = 0;
  omp_set_max_active_levels(2);
  for (int round = 0; round < 20; round++) {
#pragma omp parallel num_threads(3)
    {
      long inner = 0;
#pragma omp for schedule(dynamic) reduction(+ : sum)
      for (int i = 0; i < 10; i++)
        sum += i;
#pragma omp critical(named)
      visits++;
#pragma omp single
      for (int t = 0; t < 10; t++) {
#pragma omp task shared(tasks)
#pragma omp atomic
        tasks++;
      }
#pragma omp parallel num_threads(2) reduction(+ : inner)
      inner++;
#pragma omp atomic
      sum += inner;
    }
  }
  CHECK_EQ(sum, 20 * (45 + 6));
  CHECK_EQ(tasks, 20 * 10);
  CHECK_EQ(visits, 20 * 3);
  CHECK(omp_get_wtime() == 4711);
  return 0;
}
