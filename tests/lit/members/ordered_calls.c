/* ordered_calls.c - a nano-thread that waits for its turn lets others run, without a system call */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that ordered and doacross loops of more members than CPUs fence all threads (membarrier)
// far less often than they have iterations. A member fences before its OS thread sleeps, not before
// it leaves the OS thread to another member.
// nanogomp-only: libgomp has no members that take turns.
// REQUIRES: nanogomp, members-nano
// RUN: %omp_build %s -o %t
// RUN: env NTH_MEMBERS=nano %omp_run %t
// RUN: env NTH_MEMBERS=nano %python %S/../support/count_calls.py membarrier 400 %library %t
// RUN: env NTH_MEMBERS=nano OMP_CANCELLATION=true \
// RUN:   %python %S/../support/count_calls.py membarrier 400 %library %t
#include "check.h"

enum { MEMBERS = 16, N = 2000 };

static int turn;
static unsigned line[N + 1];

static void in_order(void) {
#pragma omp for ordered schedule(static, 1)
  for (int i = 0; i < N; i++) {
#pragma omp ordered
    CHECK_EQ(turn++, i);
  }
}

static void recurrence(void) {
#pragma omp for ordered(1) schedule(static, 1)
  for (int i = 1; i <= N; i++) {
#pragma omp ordered depend(sink : i - 1)
    line[i] = line[i - 1] + (unsigned)i;
#pragma omp ordered depend(source)
  }
}

int main(void) {
#pragma omp parallel num_threads(MEMBERS)
  {
    in_order();
    recurrence();
  }
  CHECK_EQ(turn, N);
  CHECK_EQ(line[N], N * (N + 1u) / 2);
  return 0;
}
