/* waitv_refused.c - carriers at rest sleep, though a filter now refuses their call */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the OS threads of nano-thread members hardly use a CPU while they have nothing to
// run, after the program has put itself under a filter of system calls that gives an error for
// futex_waitv.
// REQUIRES: nanogomp, members-nano
// UNSUPPORTED: emulated, sanitizer
// RUN: %omp_build %s -o %t && env NTH_MEMBERS=nano %omp_run %t
#define _GNU_SOURCE
#include "check.h"
#include "refuse.h"
#include <sys/syscall.h>
#include <time.h>

enum { MEMBERS = 32, MS = 500 };

static double seconds(clockid_t clock) {
  struct timespec t;
  CHECK_EQ(clock_gettime(clock, &t), 0);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void region(void) {
  int sum = 0;
#pragma omp parallel num_threads(MEMBERS) reduction(+ : sum)
  {
#pragma omp barrier
    sum += 1;
  }
  CHECK_EQ(sum, MEMBERS);
}

int main(void) {
  region();
  refuse_call(SYS_futex_waitv, SECCOMP_FILTER_FLAG_TSYNC);
  for (int i = 0; i < 100; i++)
    region();
  double before = seconds(CLOCK_PROCESS_CPUTIME_ID);
  check_sleep_ms(MS);
  CHECK(seconds(CLOCK_PROCESS_CPUTIME_ID) - before < 0.4e-3 * MS);
  region();
  return 0;
}
