/* roots_share.c - many roots at once: none is left behind */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that of eight root threads which open regions as fast as they can, with teams that fit the
// CPUs and with larger ones, each goes on while all others do, and that their teams do not mix.
// RUN: %omp_test
#include <pthread.h>

#include "check.h"

enum { ROOTS = 8, ENOUGH = CHECK_TIMES(50) };

static _Atomic(long) regions[ROOTS];
static _Atomic(bool) over;
static int size;

static void *root(void *argument) {
  int me = (int)(intptr_t)argument;
  while (!over) {
    int members = 0, sum = 0;
#pragma omp parallel num_threads(size) reduction(+ : members, sum)
    {
      members++;
      sum += omp_get_thread_num() + me;
      CHECK_EQ(omp_get_level(), 1);
    }
    CHECK_EQ(members, size);
    CHECK_EQ(sum, size * (size - 1) / 2 + size * me);
    regions[me]++;
  }
  return NULL;
}

static void share(int members) {
  pthread_t thread[ROOTS];
  size = members;
  over = false;
  for (int i = 0; i < ROOTS; i++) {
    regions[i] = 0;
    CHECK_EQ(pthread_create(&thread[i], NULL, root, (void *)(intptr_t)i), 0);
  }
  for (int i = 0; i < ROOTS; i++)
    CHECK_WAIT_UNTIL(regions[i] >= ENOUGH);
  over = true;
  for (int i = 0; i < ROOTS; i++)
    CHECK_EQ(pthread_join(thread[i], NULL), 0);
}

int main(void) {
  omp_set_dynamic(0);
  share(2);
  share(3);
  share(6);
  return 0;
}
