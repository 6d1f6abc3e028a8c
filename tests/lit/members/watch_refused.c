/* watch_refused.c - the system refuses the thread that watches over nano-thread members */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that members who spin on flags of their own, each for the next one's, get to run without
// it all the same, and that a line says what was refused. The runtime asks for that thread before
// each held one, which it gets.
// Members that are moved for a test's sake have no OS thread of their own: none is.
// nanogomp-only: libgomp has no such thread, and ends the program when one is refused.
// REQUIRES: members-nano
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_build %S/Inputs/refuse_odd.c -o %t.so -shared -fPIC -fno-openmp -ldl
// RUN: %omp_build %s -o %t
// RUN: env -u NTH_TEST_MOVE NTH_MEMBERS=nano %omp_run --preload %t.so %t 2> %t.says
// RUN: %FileCheck %s < %t.says
// CHECK: nanogomp: no thread to watch over nano-thread members (Resource temporarily unavailable)
// CHECK-NOT: nanogomp:
#include "check.h"

#define MEMBERS 8

int main(void) {
  static int flag[MEMBERS + 1];
  int size = 0;
  for (int round = 1; round <= 3; round++) {
    flag[MEMBERS] = round;
#pragma omp parallel num_threads(MEMBERS)
    {
      int me = omp_get_thread_num();
      if (me == 0)
        size = omp_get_num_threads();
      int next = me + 1;
      while (__atomic_load_n(&flag[next], __ATOMIC_ACQUIRE) < round) {}
      __atomic_store_n(&flag[me], round, __ATOMIC_RELEASE);
    }
    CHECK_EQ(size, MEMBERS);
  }
  return 0;
}
