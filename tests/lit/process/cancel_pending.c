/* cancel_pending.c - a POSIX thread that is to be cancelled opens its first region */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the runtime has no cancellation point of its own: the region runs with all members,
// whatever the runtime reads and writes for it, and the thread ends where the program says so.
// nanogomp-only: libgomp's thread ends where it displays its affinity, and members wait for it.
// REQUIRES: base, nanogomp
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: env OMP_DISPLAY_AFFINITY=true NTH_VERBOSE=2 %omp_run %t
// RUN: env OMP_PLACES=cores OMP_PROC_BIND=close OMP_DISPLAY_AFFINITY=true %omp_run %t
// RUN: env NTH_MEMBERS=nano OMP_DISPLAY_AFFINITY=true %omp_run %t
#include "check.h"

#include <pthread.h>

static int members, tasks;
static bool came_to_point;

static void *root(void *unused) {
  pthread_cancel(pthread_self());
#pragma omp parallel num_threads(4)
  {
#pragma omp atomic
    members++;
#pragma omp task
    {
#pragma omp atomic
      tasks++;
    }
  }
  CHECK_EQ(members, 4);
  CHECK_EQ(tasks, 4);
  CHECK(omp_get_num_procs() > 0);
  came_to_point = true;
  pthread_testcancel();
  return unused;
}

int main(void) {
  pthread_t thread;
  void *result;
  CHECK_EQ(pthread_create(&thread, 0, root, 0), 0);
  CHECK_EQ(pthread_join(thread, &result), 0);
  CHECK(came_to_point && result == PTHREAD_CANCELED);
#pragma omp parallel num_threads(4)
  {
#pragma omp atomic
    members++;
  }
  CHECK_EQ(members, 8);
  return 0;
}
