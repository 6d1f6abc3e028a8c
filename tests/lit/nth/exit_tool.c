/* exit_tool.c - a process with a tool ends at once while it has processors for nano-threads */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a program which ends without nth_exit() does not wait for its processors: they rest,
// but in no team, and tell no tool of their ends. On a busy machine one of a few ends counts.
// UNSUPPORTED: sanitizer
// (the thread sanitizer sleeps for a second at each exit)
// RUN: %nth_build %s -o %t
// RUN: %omp_build %S/../ompt/Inputs/ends_tool.c -o %t.so -shared -fPIC -I%ompt
// RUN: env OMP_TOOL_LIBRARIES=%t.so %omp_run %t 2>&1 | %FileCheck %s
#include "check.h"
#include <nanogomp/nth.h>
#include <sys/wait.h>
#include <time.h>

enum { TRIES = 10 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void nothing(void) {}

/* A process whose second processor has run a nano-thread, and sleeps. */
static void with_processors(void) {
  CHECK_EQ(nth_init(2), 0);
  CHECK_EQ(nth_depadd(nth_self(), 1), 0);
  CHECK_EQ(nth_to_lrq(nth_processors() - 1, nth_create_ls(nothing, 0, nth_self(), 0)), 0);
  CHECK_EQ(nth_block(), 0);
  exit(0);
}

int main(void) {
  double least = 1e9;
  for (int i = 0; i < TRIES && least > 0.5; i++) {
    double begin = now();
    pid_t child = fork();
    int status = 1;
    if (child == 0)
      with_processors();
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    least = now() - begin < least ? now() - begin : least;
  }
  fprintf(stderr, "%s\n", least < 0.5 ? "at once" : "late");
  return 0;
}
// CHECK: finalize:
// CHECK: at once
