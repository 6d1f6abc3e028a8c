/* pipe.c - members that read from pipes which other members write */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a member blocked in read is woken by one that writes after waits in the runtime:
// pairs of members, a ring, and seven readers with one writer, member 0 on each side.
// RUN: %members_test
// RUN: env NTH_MEMBERS=nano %omp_run %t
#include "members.h"

static int ends[MEMBERS][2]; /* a pipe for each reader */

static void put(int reader, int value) {
  CHECK_EQ(write(ends[reader][1], &value, sizeof value), sizeof value);
}

static int get(int me) {
  int value = -1;
  CHECK_EQ(read(ends[me][0], &value, sizeof value), sizeof value);
  return value;
}

static void pairs(int me, int turn) {
  int other = MEMBERS - 1 - me;
  if ((me < other) == (turn % 2)) {
    CHECK_EQ(get(me), 100 * other + turn);
  } else {
    pass_alone((unsigned)turn);
    put(other, 100 * me + turn);
  }
}

static void ring(int me, int first) {
  if (me == first)
    put((me + 1) % MEMBERS, 1);
  int value = get(me);
  CHECK_EQ(value, (me - first + MEMBERS - 1) % MEMBERS + 1);
  pass_alone((unsigned)me);
  if (me != first)
    put((me + 1) % MEMBERS, value + 1);
}

static void one_writer(int me, int writer) {
  if (me != writer) {
    CHECK_EQ(get(me), writer);
    return;
  }
  for (int reader = 0; reader < MEMBERS; reader++)
    if (reader != writer) {
      pass_alone((unsigned)reader);
      put(reader, writer);
    }
}

int main(void) {
  for (int i = 0; i < MEMBERS; i++)
    CHECK_EQ(pipe(ends[i]), 0);
  double end = check_seconds() + 1;
  for (int region = 0; region < 10 && (region == 0 || check_seconds() < end); region++) {
#pragma omp parallel num_threads(MEMBERS)
    {
      int me = omp_get_thread_num();
      for (int turn = 0; turn < 4; turn++)
        pairs(me, turn);
      pass_together(0);
      ring(me, region % MEMBERS);
      pass_together(1);
      one_writer(me, (region + 3) % MEMBERS);
#pragma omp barrier
      one_writer(me, 0);
    }
  }
  members_end();
  return 0;
}
