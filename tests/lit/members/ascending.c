/* ascending.c - nano-thread members of one CPU begin a region in the order of their numbers */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that bodies without waits run as member 0, 1, 2 ... in most regions on one CPU. A sweep in
// which each member spins on a flag of the one below it needs no help from the watchdog then.
// REQUIRES: members-nano
// A tool: with a tool bodies wait, since each tells of the region's barrier before it returns.
// UNSUPPORTED: tool
// RUN: %omp_build %s -o %t
// RUN: env NTH_MEMBERS=nano %omp_run %t
// RUN: env NTH_MEMBERS=auto %omp_run %t
#include "members.h"
#include <sched.h>

enum { ROUNDS = 200 };

static int came[MEMBERS], count;

static bool is_ascending(void) {
  for (int i = 0; i < MEMBERS; i++)
    if (came[i] != i)
      return false;
  return true;
}

int main(void) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET((unsigned)sched_getcpu(), &one);
  CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  int ascending = 0;
  for (int round = 0; round < ROUNDS; round++) {
    count = 0;
#pragma omp parallel num_threads(MEMBERS)
    {
      int at;
#pragma omp atomic capture
      at = count++;
      came[at] = omp_get_thread_num();
    }
    ascending += is_ascending();
  }
  printf("%d of %d regions in order\n", ascending, ROUNDS);
  CHECK(ascending > ROUNDS / 2);
}
