/* threads_refused.c - pthread_create refused: smaller or slower, but right */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that regions, tasks and nested regions work, with one warning of the team's, when the
// system refuses new threads after the first few (a preloaded pthread_create says EAGAIN), and when
// it relents later.
// nanogomp-only: libgomp ends the program with status 1.
// REQUIRES: nanogomp
// UNSUPPORTED: sanitizer
// RUN: %omp_build %S/Inputs/refuse.c -o %t.so -shared -fPIC -fno-openmp -ldl
// RUN: %omp_build %s -o %t
// RUN: env REFUSE_AFTER=0 %omp_run --preload %t.so %t 2> %t.0 && %FileCheck %s < %t.0
// RUN: env REFUSE_AFTER=1 %omp_run --preload %t.so %t 2> %t.1 && %FileCheck %s < %t.1
// RUN: env REFUSE_AFTER=3 %omp_run --preload %t.so %t 2> %t.3 && %FileCheck %s < %t.3
// RUN: env REFUSE_AFTER=2 REFUSE_COUNT=3 %omp_run --preload %t.so %t 2> %t.4
// Another line may say that there is no watchdog either.
// CHECK: nanogomp: {{.*}}asked for
// CHECK-NOT: asked for
#include "check.h"

static void region(int request) {
  long sum = 0, members = 0, tasks = 0;
  int size = 0, seen[64] = {0};
#pragma omp parallel num_threads(request) reduction(+ : members)
  {
    members++;
    seen[omp_get_thread_num()]++;
#pragma omp barrier
#pragma omp single
    size = omp_get_num_threads();
#pragma omp for schedule(dynamic) reduction(+ : sum)
    for (int i = 0; i < 200; i++)
      sum += i;
#pragma omp task shared(tasks)
#pragma omp atomic
    tasks++;
  }
  CHECK(size >= 1 && size <= request);
  CHECK_EQ(members, size);
  CHECK_EQ(tasks, size);
  CHECK_EQ(sum, 19900);
  for (int i = 0; i < 64; i++)
    CHECK_EQ(seen[i], i < size);
}

int main(void) {
  for (int round = 0; round < 30; round++)
    region(1 + round % 9);
  omp_set_max_active_levels(2);
  for (int round = 0; round < 10; round++) {
#pragma omp parallel num_threads(3)
    region(3);
  }
  return 0;
}
