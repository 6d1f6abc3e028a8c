/* lock_wakeups.c - who leaves a lock wakes one of those who wait, not each OS thread that serves
 * one */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that many roots with teams larger than the machine, all members of which want one lock,
// all get it the right number of times, with less than two sleeps of OS threads a turn.
// UNSUPPORTED: emulated
// RUN: %omp_build %s -o %t
// RUN: env NTH_MEMBERS=auto %omp_run %t
// RUN: env NTH_MEMBERS=nano %omp_run %t
// RUN: env NTH_MEMBERS=os %omp_run %t
#define _GNU_SOURCE
#include "check.h"
#include <pthread.h>
#include <sys/resource.h>

enum { ROOTS = 24, TEAM = 14, REGIONS = 4, TURNS = 4, STEPS = 100000 };

static omp_lock_t lock;
static long turns;

static void work(void) {
  for (volatile int i = 0; i < STEPS; i++)
    ;
}

static void *root(void *unused) {
  for (int region = 0; region < REGIONS; region++) {
#pragma omp parallel num_threads(TEAM)
    for (int i = 0; i < TURNS; i++) {
      omp_set_lock(&lock);
      work();
      turns++;
      omp_unset_lock(&lock);
    }
  }
  return unused;
}

int main(void) {
  pthread_t thread[ROOTS];
  omp_init_lock(&lock);
  for (int i = 0; i < ROOTS; i++)
    CHECK_EQ(pthread_create(&thread[i], NULL, root, NULL), 0);
  for (int i = 0; i < ROOTS; i++)
    CHECK_EQ(pthread_join(thread[i], NULL), 0);
  CHECK_EQ(turns, (long)ROOTS * TEAM * REGIONS * TURNS);
  struct rusage use;
  CHECK_EQ(getrusage(RUSAGE_SELF, &use), 0);
  printf("%ld turns, %ld sleeps\n", turns, use.ru_nvcsw);
  CHECK(use.ru_nvcsw < 2 * turns);
}
