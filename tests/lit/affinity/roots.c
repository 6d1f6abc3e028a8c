/* roots.c - a program's own threads are bound at their first region, not before */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that loading the library binds nobody, that each of several root threads and their members
// are bound by the rules, and that a forked child binds its threads as its parent did.
// nanogomp-only: libgomp binds the initial thread when it is loaded, and hangs in a forked child.
// REQUIRES: nanogomp
// UNSUPPORTED: tsan, emulated
// REQUIRES: cpus-0-1
// RUN: %omp_build %s -o %t
// RUN: env OMP_PROC_BIND=close "OMP_PLACES={1},{0},{0,1}" %omp_run %t
// RUN: env OMP_PROC_BIND=spread "OMP_PLACES={1},{0},{0,1},{1},{0}" %omp_run %t
// RUN: env OMP_PLACES=cores %omp_run %t
#include "bound.h"
#include <pthread.h>
#include <sys/wait.h>

static cpu_set_t start;

static void unbound(void) {
  cpu_set_t mask;
  sched_getaffinity(0, sizeof mask, &mask);
  CHECK(CPU_EQUAL(&mask, &start));
  CHECK_EQ(omp_get_num_procs(), CPU_COUNT(&start));
}

static void regions(void) {
  int places = omp_get_num_places();
  for (int round = 0; round < 20; round++) {
    int on[64] = {0};
#pragma omp parallel num_threads(places)
    {
#pragma omp atomic
      on[bound_check()]++;
    }
    for (int p = 0; p < places; p++)
      CHECK_EQ(on[p], 1);
    CHECK_EQ(bound_check(), 0);
    CHECK_EQ(omp_get_num_procs(), CPU_COUNT(&start));
  }
}

static void *root(void *arg) {
  if (arg)
    unbound();
  regions();
  return 0;
}

static void in_child(void) {
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    regions();
    _exit(0);
  }
  int status;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
}

int main(void) {
  pthread_t t[4];
  sched_getaffinity(0, sizeof start, &start);
  CHECK(CPU_COUNT(&start) == sysconf(_SC_NPROCESSORS_ONLN) || omp_get_num_places() > 0);
  for (int i = 0; i < 4; i++)
    CHECK_EQ(pthread_create(&t[i], 0, root, &start), 0);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
  in_child(); /* before any region of this thread */
  unbound();
  regions();
  in_child();
  CHECK_EQ(pthread_create(&t[0], 0, root, 0), 0); /* inherits a mask of one place */
  pthread_join(t[0], 0);
  return 0;
}
