/* depend_memory.c - long chains, and many addresses one after the other, in little memory */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that what finished tasks accessed is forgotten: 100,000 tasks in a chain, then as many
// readers, as many addresses, and members of mutexinoutset groups, made while few are unfinished,
// leave the process below 100 MB.
// nanogomp-only: libgomp 12 takes minutes with one thread.
// REQUIRES: nanogomp
// UNSUPPORTED: sanitizer
// RUN: %omp_test
#include "check.h"

enum { TASKS = 100000, AHEAD = 1000 };
static char far_apart[TASKS];
static _Atomic(int) done;

static long peak_kb(void) {
  char line[256];
  long kb = 0;
  FILE *f = fopen("/proc/self/status", "r");
  while (fgets(line, sizeof line, f))
    sscanf(line, "VmHWM: %ld", &kb);
  fclose(f);
  return kb;
}

/* Keeps the number of unfinished tasks low without a taskwait. */
static void not_too_many(int made) {
  while (made - done > AHEAD) {
#pragma omp taskyield
    check_sleep_ms(0);
  }
}

int main(void) {
  long x = 0, before;
#pragma omp parallel
#pragma omp single
  {
    before = peak_kb();
    for (int i = 0; i < TASKS; i++) {
#pragma omp task depend(inout : x) shared(x)
      {
        x++;
        done++;
      }
      not_too_many(i);
    }
    for (int i = 0; i < TASKS; i++) {
#pragma omp task depend(in : x)
      done++;
      not_too_many(TASKS + i);
    }
    for (int i = 0; i < TASKS; i++) {
#pragma omp task depend(inout : far_apart[i])
      done++;
      not_too_many(2 * TASKS + i);
    }
    for (int i = 0; i < TASKS; i++) {
#pragma omp task depend(mutexinoutset : x)
      done++;
      not_too_many(3 * TASKS + i);
    }
    CHECK(peak_kb() - before < 100000);
  }
  CHECK_EQ(x, TASKS);
  CHECK_EQ(done, 4 * TASKS);
  return 0;
}
