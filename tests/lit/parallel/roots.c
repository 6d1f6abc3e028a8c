/* roots.c - many root threads: pthreads that open parallel regions at once */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks 8 pthreads x 200 regions at once: each root has its own teams, ICVs and worksharing, and
// member 0 is always the root itself.
// RUN: %omp_test
#include "check.h"
#include <pthread.h>

enum { ROOTS = 8, REGIONS = 200 };

static double end;
static long done[ROOTS];

static void *root(void *argument) {
  int id = (int)(intptr_t)argument, size = 1 + id % 4;
  pthread_t self = pthread_self();
  omp_set_num_threads(size);
  for (int r = 0; r < REGIONS && check_seconds() < end; r++) {
    long sum = 0, members = 0;
#pragma omp parallel reduction(+ : sum, members)
    {
      CHECK_EQ(omp_get_num_threads(), size);
      CHECK_EQ(omp_get_level(), 1);
      if (omp_get_thread_num() == 0)
        CHECK(pthread_equal(self, pthread_self()));
#pragma omp for schedule(dynamic, 2)
      for (int i = 0; i < 50; i++)
        sum += i * (id + 1);
      members++;
    }
    CHECK_EQ(sum, 1225 * (id + 1));
    CHECK_EQ(members, size);
    CHECK_EQ(omp_get_max_threads(), size);
    done[id]++;
  }
  return NULL;
}

int main(void) {
  pthread_t threads[ROOTS];
  end = check_seconds() + 5;
  for (intptr_t i = 0; i < ROOTS; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, root, (void *)i), 0);
  for (int i = 0; i < ROOTS; i++) {
    CHECK_EQ(pthread_join(threads[i], NULL), 0);
    CHECK(done[i] > 0);
  }
  return 0;
}
