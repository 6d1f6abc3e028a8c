/* constructs.h - regions with most constructs of OpenMP in them, which wait and sleep */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef CONSTRUCTS_H
#define CONSTRUCTS_H

#include "check.h"

static void burn(double seconds) {
  double end = check_seconds() + seconds;
  while (check_seconds() < end) {}
}

static void region_of(int size) {
  long sum = 0, done = 0;
#pragma omp parallel num_threads(size) reduction(+ : sum)
  {
    burn(0.0005);
    sum++;
#pragma omp barrier
    if (omp_get_thread_num() == 0)
      check_sleep_ms(5);
#pragma omp barrier
#pragma omp single
    for (int i = 0; i < 50; i++) {
#pragma omp task shared(done)
      {
        burn(0.0001);
#pragma omp atomic
        done++;
      }
    }
#pragma omp for schedule(dynamic) ordered
    for (int i = 0; i < 16; i++) {
#pragma omp ordered
      sum++;
    }
#pragma omp critical
    sum++;
  }
  CHECK(sum > 16);
  CHECK_EQ(done, 50);
}

static void nested_regions(void) {
  int members = 0;
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(3)
#pragma omp atomic
  members++;
  CHECK(members >= 2);
}

#endif
