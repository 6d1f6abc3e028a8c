/* fork.c - fork() in a target region inside a parallel region */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a child goes on at level 0 in the target region with regions that work, and after it
// as number 0 of a team of one, whose barriers and join return.
// nanogomp-only: libgomp's child waits for members that it does not have.
// REQUIRES: nanogomp
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_test
#include "check.h"
#include <sys/wait.h>

static int count(int n) {
  int members = 0;
#pragma omp parallel num_threads(n) reduction(+ : members)
  members++;
  return members;
}

/* In the text of a parallel region gcc takes it for a constant, over a fork too. */
static int number(void) { return omp_get_thread_num(); }

int main(void) {
  pid_t parent = getpid();
#pragma omp parallel num_threads(4)
  {
    int num = omp_get_thread_num();
#pragma omp barrier
    if (num == 0 || num == 3) {
      pid_t child = -1;
#pragma omp target map(tofrom : child)
      {
        child = fork();
        if (child == 0) {
          CHECK_EQ(omp_get_level(), 0);
          CHECK_EQ(count(3), 3);
        }
      }
      if (child == 0) {
        CHECK_EQ(omp_get_level(), 1);
        CHECK_EQ(number(), 0);
        CHECK_EQ(omp_get_num_threads(), 1);
#pragma omp barrier
#pragma omp target
        CHECK_EQ(count(2), 2);
        _exit(0);
      }
      int status;
      CHECK_EQ(waitpid(child, &status, 0), child);
      CHECK_EQ(status, 0);
    }
#pragma omp barrier
    CHECK_EQ(omp_get_num_threads(), 4);
  }
  CHECK_EQ(getpid(), parent);
  CHECK_EQ(count(4), 4);
  return 0;
}
