/* memcheck.c - teams larger than the machine under valgrind */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that valgrind's memcheck, which follows every stack, finds no error in regions of eight
// members and of 2 x 4 with barriers, tasks, locks and memory given to others, and that all goes
// on under its one-thread-at-a-time scheduling.
// REQUIRES: valgrind, base
// UNSUPPORTED: sanitizer
// RUN: %omp_build %s -o %t
// RUN: %nano valgrind -q --fair-sched=yes --error-exitcode=9 %t
// RUN: %os valgrind -q --fair-sched=yes --error-exitcode=9 %t
#include "members.h"

static char *given[MEMBERS];

static void member(int me, int size, int round) {
  struct identity who;
  char used[500];
  identity_take(&who, me);
  memset(used, me, sizeof used);
  for (unsigned way = 0; way < WAYS_ALONE; way++) {
    pass_alone(way);
    pass_together(way);
    identity_check(&who);
  }
  given[me] = malloc(100 + (size_t)me);
  memset(given[me], me, 100 + (size_t)me);
  pass_together(0);
  int from = (me + 1 + round) % size;
  for (int i = 0; i < 100 + from; i++)
    CHECK_EQ(given[from][i], from);
  free(given[from]);
  pass_together(0);
  for (unsigned i = 0; i < sizeof used; i++)
    CHECK_EQ(used[i], me);
}

int main(void) {
  omp_set_max_active_levels(2);
  for (int round = 0; round < 2; round++) {
#pragma omp parallel num_threads(MEMBERS)
    member(omp_get_thread_num(), MEMBERS, round);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(4)
    {
      struct identity who;
      identity_take(&who, 4 * omp_get_ancestor_thread_num(1) + omp_get_thread_num());
      pass_alone((unsigned)round);
      pass_together((unsigned)round);
      identity_check(&who);
    }
  }
  members_end();
  return 0;
}
