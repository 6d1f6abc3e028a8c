/* split_stack.c - untied tasks in a program that is compiled with -fsplit-stack */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that calls which need much stack return what they should where such a program's untied
// tasks wait for others, in main, in a thread of the program and in the members of its teams.
// RUN: %omp_build %s -o %t -fsplit-stack -fuse-ld=gold && %omp_run %t
// REQUIRES: split-stack
#include "check.h"

#include <pthread.h>
#include <string.h>

enum { TASKS = 20, SHALLOW = 100, DEEP = 300, FRAME = 4000 };

/* Returns 0, by `depth` frames. */
static int descend(int depth) {
  volatile char frame[FRAME];
  memset((char *)frame, depth, FRAME);
#pragma omp taskyield
  if (depth == 0)
    return frame[5];
  int below = descend(depth - 1);
  return below + frame[FRAME - 1] - (char)depth;
}

static void *regions(void *unused) {
  for (int round = 0; round < 10; round++) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < TASKS; i++) {
#pragma omp task untied
      {
#pragma omp task
        CHECK_EQ(descend(SHALLOW), 0);
#pragma omp taskwait
        CHECK_EQ(descend(DEEP), 0);
      }
    }
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  regions(0);
  CHECK_EQ(pthread_create(&thread, 0, regions, 0), 0);
  regions(0);
  CHECK_EQ(pthread_join(thread, 0), 0);
  return 0;
}
