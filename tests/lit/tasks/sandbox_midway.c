/* sandbox_midway.c - the program goes into a sandbox without membarrier while a member keeps
 * tasks */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that nothing is lost when membarrier is refused from some moment on, in the midst of a
// region: tasks that a member pushed before run all the same, and members that see them and cannot
// get at them, at a barrier or at the region's end, take little CPU time until their owner comes to
// them.
// REQUIRES: nanogomp
// UNSUPPORTED: sanitizer, emulated
// A nano-thread member has the time of the OS threads that run it, not of its own.
// RUN: %omp_build %s -o %t
// RUN: env NTH_MEMBERS=os OMP_WAIT_POLICY=passive OMP_NUM_THREADS=3 %omp_run %t barrier
// RUN: env NTH_MEMBERS=os OMP_WAIT_POLICY=passive OMP_NUM_THREADS=3 %omp_run %t end
// RUN: env NTH_MEMBERS=os OMP_NUM_THREADS=3 %omp_run %t end
#define _GNU_SOURCE
#include "check.h"

#include "refuse.h"

#include <pthread.h>

enum { MS = 300, MOST = 16 };

static _Atomic(pthread_t) thread[MOST];
static _Atomic(int) ran, here;

/* CPU seconds of all threads but the caller. */
static double others_seconds(void) {
  double sum = 0;
  for (int i = 1; i < omp_get_num_threads(); i++) {
    clockid_t clock;
    struct timespec t;
    CHECK_EQ(pthread_getcpuclockid(thread[i], &clock), 0);
    CHECK_EQ(clock_gettime(clock, &t), 0);
    sum += (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
  }
  return sum;
}

/* The master makes tasks while nobody looks for them, and is busy. */
static void keeps(void) {
  CHECK_WAIT_UNTIL(here == omp_get_num_threads() - 1);
  for (int k = 0; k < 5; k++) {
#pragma omp task
    ran++;
  }
  refuse_call(SYS_membarrier, SECCOMP_FILTER_FLAG_TSYNC);
  here = -1;
  check_sleep_ms(20); /* the others find out */
  double before = others_seconds();
  check_sleep_ms(MS);
  double used = others_seconds() - before;
  CHECK(used < 0.3e-3 * MS);
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  const char *where = argv[1];
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    CHECK(me < MOST);
    thread[me] = pthread_self();
    if (me == 0) {
      keeps();
    } else {
      here++;
      CHECK_WAIT_UNTIL(here < 0);
    }
    if (*where == 'b') {
#pragma omp barrier
      CHECK_EQ(ran, 5);
    }
  }
  CHECK_EQ(ran, 5);
  return 0;
}
