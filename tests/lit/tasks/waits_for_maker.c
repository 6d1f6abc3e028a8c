/* waits_for_maker.c - the first tasks of a maker do not begin inside it */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP lets a task begin at its construct, but programs count on a later begin: libgomp puts off
// 64 tasks for each thread. The maker opens after the construct what the task waits for. Or the
// maker holds a mutex that the task wants. Or the maker uses errno, or a buffer of its thread, on
// both sides of the construct. The test does so in a team of one, too, and with tasks of tasks.
// RUN: %omp_build %s -o %t
// RUN: env OMP_NUM_THREADS=1 %omp_run %t
// RUN: env OMP_NUM_THREADS=2 %omp_run %t
// RUN: env OMP_NUM_THREADS=4 %omp_run %t
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#include "check.h"

enum { FIRST = 60, DEPTH = 5 };

static atomic_int open_gate, ran;

static void gate(void) {
  open_gate = ran = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < FIRST; i++)
#pragma omp task
    {
      CHECK_WAIT_UNTIL(open_gate);
      ran++;
    }
    open_gate = 1;
  }
  CHECK_EQ(ran, FIRST);
}

/* --- tasks of tasks: a tree of 63 --- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void locked(int depth) {
  pthread_mutex_lock(&mutex);
  ran++;
  for (int i = 0; i < 2 && depth > 0; i++)
#pragma omp task
    locked(depth - 1);
  pthread_mutex_unlock(&mutex);
}

static _Thread_local int scratch[2];

static void with_scratch(int depth, int id) {
  ran++;
  for (int i = 0; i < 2; i++)
    scratch[i] = 2 * id + i;
  for (int i = 0; i < 2 && depth > 0; i++) {
    errno = id;
    int next = scratch[i];
#pragma omp task firstprivate(next)
    with_scratch(depth - 1, next);
    CHECK_EQ(scratch[1], 2 * id + 1);
    CHECK_EQ(errno, id);
  }
}

int main(void) {
  gate();
  ran = 0;
#pragma omp parallel
#pragma omp single
  locked(DEPTH);
  CHECK_EQ(ran, (2 << DEPTH) - 1);
  ran = 0;
#pragma omp parallel
#pragma omp single
  with_scratch(DEPTH, 1);
  CHECK_EQ(ran, (2 << DEPTH) - 1);
  return 0;
}
