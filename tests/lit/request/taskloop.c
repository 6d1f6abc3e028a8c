/* taskloop.c - the parts of a taskloop are safe points of requests for fewer processors */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a request is answered while all members run parts of one taskloop, that processors
// are given back there, and that each part runs once. The taskloop does not end before that. Then
// the same where each member has a taskloop of its own, whose parts are made one by one, and run by
// their maker once many are queued: with a priority, and as a tool hears of them, which NTH_STALL
// does.
// nanogomp-only: libgomp takes no requests
// UNSUPPORTED: tool
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: env NTH_MEMBERS=os %omp_run %t
// RUN: env NTH_MEMBERS=nano %omp_run %t
// RUN: env OMP_MAX_TASK_PRIORITY=1 %omp_run %t each
// RUN: env NTH_MEMBERS=nano OMP_MAX_TASK_PRIORITY=1 %omp_run %t each
// RUN: env NTH_STALL=1000 %omp_run %t
// RUN: env NTH_STALL=1000 %omp_run %t each
// RUN: env NTH_STALL=1000 NTH_MEMBERS=nano %omp_run %t each
#include "Inputs/inside.h"
#include <string.h>

enum { PARTS = 1 << 21, TURNS = 60000 };
static unsigned char done[PARTS];
static int step;

static void *asker(void *unused) {
  for (int turn = 0; turn < 2; turn++) {
    inside_await_more(1);
    step++;
    CHECK_EQ(nth_request(1), 0);
    inside_await(1);
    step++;
    CHECK_EQ(nth_request(0), 0);
  }
  inside_await_more(1);
  __atomic_store_n(&inside_over, 1, __ATOMIC_RELAXED);
  return unused;
}

static void part(int i) {
  if (!inside_ends())
    inside_work(TURNS);
  done[i]++;
}

static void one_for_all(int members) {
#pragma omp parallel num_threads(members)
#pragma omp single
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < PARTS; i++)
    part(i);
}

static void one_for_each(int members) {
#pragma omp parallel num_threads(members)
  {
    int me = omp_get_thread_num(), n = omp_get_num_threads();
#pragma omp taskloop grainsize(1) priority(1)
    for (int i = me; i < PARTS; i += n)
      part(i);
  }
}

int main(int argc, char **argv) {
  pthread_t thread;
  int members = omp_get_max_threads() > 1 ? omp_get_max_threads() : 2;
  CHECK_EQ(pthread_create(&thread, NULL, asker, NULL), 0);
  (!strcmp(argv[argc - 1], "each") ? one_for_each : one_for_all)(members);
  if (!inside_ends()) {
    fprintf(stderr, "the parts came to their end in step %d\n", step);
    exit(1);
  }
  CHECK_EQ(pthread_join(thread, NULL), 0);
  for (int i = 0; i < PARTS; i++)
    CHECK_EQ(done[i], 1);
  return 0;
}
