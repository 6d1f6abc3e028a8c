/* roots_first.c - many root threads open the first regions of the process at once */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each of them has whole teams, also nested ones. For ThreadSanitizer above all: what the
// first region sets up for the process is read by the others.
// RUN: %omp_test
// RUN: %omp_run %t
// RUN: %omp_run %t
// RUN: %omp_run %t
#include "check.h"
#include <pthread.h>

enum { ROOTS = 8 };

static pthread_barrier_t start;

static void *root(void *argument) {
  int size = 2 + (int)(intptr_t)argument % 2, members = 0, inner = 0;
  pthread_barrier_wait(&start);
#pragma omp parallel num_threads(size) reduction(+ : members)
  members++;
  CHECK_EQ(members, size);
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(size) reduction(+ : inner)
#pragma omp parallel num_threads(2) reduction(+ : inner)
  inner++;
  CHECK_EQ(inner, 2 * size);
  return NULL;
}

int main(void) {
  pthread_t threads[ROOTS];
  CHECK_EQ(pthread_barrier_init(&start, NULL, ROOTS), 0);
  for (intptr_t i = 0; i < ROOTS; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, root, (void *)i), 0);
  for (int i = 0; i < ROOTS; i++)
    CHECK_EQ(pthread_join(threads[i], NULL), 0);
  return 0;
}
