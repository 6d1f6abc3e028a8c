/* memcheck_report.c - what valgrind says of a program at its end */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that memcheck counts none of the runtime's memory as the program's, and that it knows the
// stacks between which members change: a frame on them is neither unknown nor too old. How often it
// says that the client may be switching stacks depends on when it changes between threads: it
// remembers one stack for all of them. nanogomp-only: libgomp keeps 2 kB until the end.
// REQUIRES: nanogomp, valgrind, base
// UNSUPPORTED: sanitizer
// RUN: %omp_build %s -o %t
// RUN: %nano valgrind --leak-check=full --error-exitcode=9 --errors-for-leak-kinds=none %t \
// RUN:   2> %t.nano
// RUN: %FileCheck %s < %t.nano
// RUN: %os valgrind --leak-check=full --error-exitcode=9 --errors-for-leak-kinds=none %t 2> %t.os
// RUN: %FileCheck %s < %t.os
// CHECK: definitely lost: 0 bytes
// CHECK: still reachable: 0 bytes
// CHECK: ERROR SUMMARY: 0 errors
#include "check.h"

#include <string.h>

/* A frame that memcheck has to see come and go. */
__attribute__((noinline)) static int frame(int n) {
  volatile char used[5000];
  memset((char *)used, n, sizeof used);
  return used[n] + used[4999];
}

int main(void) {
  int sum = 0;
  for (int round = 0; round < 20; round++) {
#pragma omp parallel num_threads(6) reduction(+ : sum)
    {
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 60; i++)
        sum += frame(i);
#pragma omp barrier
#pragma omp task
      frame(3);
#pragma omp critical
      sum += frame(round);
    }
  }
  CHECK_EQ(sum, 20 * (60 * 59) + 6 * 20 * 19);
  return 0;
}
