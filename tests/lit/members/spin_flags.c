/* spin_flags.c - members that spin on variables, without a call of the runtime */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that pipelines in which each member waits for its neighbour in a plain loop come to their
// end: from the last member to the first, from the first to the last, all waiting for one in the
// middle, to and fro between two; between waits of the runtime and without any.
// UNSUPPORTED: tsan
// (The loops read plain variables on purpose.)
// RUN: %members_test
// RUN: env NTH_MEMBERS=nano %omp_run %t
#include "members.h"

static volatile int flag[MEMBERS + 2];

/* Values only grow. */
static void spin_until(volatile int *where, int value) {
  while (*where < value) {}
}

/* Member i waits for i + step; the one at the end waits for nobody. */
static void pipeline(int me, int step, int turn) {
  int before = me + step;
  if (before >= 0 && before < MEMBERS)
    spin_until(&flag[before], turn);
  __atomic_store_n(&flag[me], turn, __ATOMIC_RELEASE);
}

/* All wait for one, which waits for all. */
static void star(int me, int centre, int turn) {
  if (me == centre) {
    for (int i = 0; i < MEMBERS; i++)
      if (i != centre)
        spin_until(&flag[i], turn);
    __atomic_store_n(&flag[centre], turn, __ATOMIC_RELEASE);
  } else {
    __atomic_store_n(&flag[me], turn, __ATOMIC_RELEASE);
    spin_until(&flag[centre], turn);
  }
}

/* Members 0 and last hand a ball to each other; the rest wait at the next barrier. */
static void to_and_fro(int me, int times) {
  volatile int *ball = &flag[MEMBERS];
  for (int i = 0; i < times; i++)
    if (me == 0) {
      spin_until(ball, 2 * i);
      __atomic_store_n(ball, 2 * i + 1, __ATOMIC_RELEASE);
    } else if (me == MEMBERS - 1) {
      spin_until(ball, 2 * i + 1);
      __atomic_store_n(ball, 2 * i + 2, __ATOMIC_RELEASE);
    }
}

int main(void) {
  pass_everywhere();
  int turn = 0, regions = 0;
  double end = check_seconds() + 0.8;
  for (; regions < 6 && (regions == 0 || check_seconds() < end); regions++) {
#pragma omp parallel num_threads(MEMBERS) firstprivate(turn)
    {
      int me = omp_get_thread_num();
      pipeline(me, 1, ++turn);
      pass_together(0);
      pipeline(me, -1, ++turn);
      pass_alone((unsigned)regions);
      pipeline(me, 1, ++turn);
      pipeline(me, 1, ++turn);
      pass_together(1);
      star(me, regions % 2 ? 0 : 4, ++turn);
      pass_together(0);
      to_and_fro(me, 3);
      pass_together(0);
    }
    turn += 5;
    for (int i = 0; i < MEMBERS; i++)
      CHECK_EQ(flag[i], turn);
    CHECK_EQ(flag[MEMBERS], 6);
    flag[MEMBERS] = 0;
  }
  members_end();
  return 0;
}
