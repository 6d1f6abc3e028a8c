/* yield_holds.c - a tied task that yields, and holds what its descendants want */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that taskyield begins no descendant above a task that has a mutex locked which the
// descendant wants, or that uses a buffer of its thread before and after. libgomp's does nothing;
// other members run the tasks meanwhile.
// RUN: %omp_test
#include "check.h"
#include <errno.h>
#include <pthread.h>

enum { TASKS = 40 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local char buffer[16];
static int ran;

static void wants_mutex(void) {
  CHECK_EQ(pthread_mutex_lock(&mutex), 0);
  ran++;
  CHECK_EQ(pthread_mutex_unlock(&mutex), 0);
}

static void yields_locked(void) {
  ran = 0;
  for (int i = 0; i < TASKS; i++) {
    CHECK_EQ(pthread_mutex_lock(&mutex), 0);
#pragma omp task
    wants_mutex();
#pragma omp taskyield
    CHECK_EQ(pthread_mutex_unlock(&mutex), 0);
  }
#pragma omp taskwait
  CHECK_EQ(ran, TASKS);
}

/* Made before, and yields with work in between. */
static void yields_at_work(void) {
  ran = 0;
  CHECK_EQ(pthread_mutex_lock(&mutex), 0);
  for (int i = 0; i < TASKS; i++) {
#pragma omp task
    wants_mutex();
  }
  for (int i = 0; i < TASKS; i++) {
    double end = omp_get_wtime() + 20e-6;
    while (omp_get_wtime() < end)
      ;
#pragma omp taskyield
  }
  CHECK_EQ(pthread_mutex_unlock(&mutex), 0);
#pragma omp taskwait
  CHECK_EQ(ran, TASKS);
}

static void uses_buffer(void) {
  for (int i = 0; i < TASKS; i++) {
#pragma omp task
    {
      strcpy(buffer, "task");
      errno = ENOENT;
    }
    strcpy(buffer, "maker");
    errno = EDOM;
#pragma omp taskyield
    CHECK_EQ(errno, EDOM);
    CHECK(strcmp(buffer, "maker") == 0);
  }
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int turn = 0; turn < CHECK_TIMES(20); turn++) {
    yields_locked();
    yields_at_work();
    uses_buffer();
  }
  return 0;
}
