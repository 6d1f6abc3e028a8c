/* roots_end.c - root threads that end while others begin */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks 45 short-lived root pthreads, three at a time, each with regions of its own: results are
// right, a new root's own threadprivate data is fresh, and the threads of ended roots go away.
// RUN: %omp_test
#include "check.h"
#include "count_threads.h"
#include <pthread.h>

enum { WAVES = 15, AT_ONCE = 3 };

static int mine;
#pragma omp threadprivate(mine)

static void *root(void *argument) {
  int id = (int)(intptr_t)argument;
  CHECK_EQ(mine, 0);
  for (int r = 0; r < 3; r++) {
    int sum = 0, size = 1 + (id + r) % 4;
#pragma omp parallel num_threads(size) reduction(+ : sum)
    {
      if (r > 0 && omp_get_thread_num() == 0)
        CHECK_EQ(mine, id + 1);
      mine = id + 1;
      sum += omp_get_thread_num();
    }
    CHECK_EQ(sum, size * (size - 1) / 2);
    CHECK_EQ(mine, id + 1);
  }
  return NULL;
}

int main(void) {
  int most = omp_get_max_threads(), sum = 0;
  for (intptr_t wave = 0; wave < WAVES; wave++) {
    pthread_t threads[AT_ONCE];
    for (int i = 0; i < AT_ONCE; i++)
      CHECK_EQ(pthread_create(&threads[i], NULL, root, (void *)(wave * AT_ONCE + i)), 0);
#pragma omp parallel reduction(+ : sum)
    sum++;
    for (int i = 0; i < AT_ONCE; i++)
      CHECK_EQ(pthread_join(threads[i], NULL), 0);
  }
  CHECK_EQ(sum, WAVES * most);
  CHECK_WAIT_UNTIL(count_threads() <= 4 * AT_ONCE + most + 4);
  return 0;
}
