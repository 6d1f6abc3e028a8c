/* short_shares.c - members claim shares of loops that are short, and single chunks of others */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that after some loops of empty bodies at one place a member gets several chunks of a loop
// at once, though the loop has too few for that to be learned in it. And that when the bodies have
// become long all members soon get single chunks again, so that the loop is shared evenly.
// nanogomp-only: libgomp's chunks are always single.
// REQUIRES: nanogomp
// UNSUPPORTED: emulated, tool, tsan
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: env NTH_RANGES=on %omp_run %t
#include "check.h"

bool GOMP_loop_nonmonotonic_dynamic_start(long, long, long, long, long *, long *);
bool GOMP_loop_nonmonotonic_dynamic_next(long *, long *);
void GOMP_loop_end(void);

enum { MEMBERS = 2, TRIPS = 10, ROUNDS = 2000, SETTLED = 1500 };

static long longest[ROUNDS]; /* iterations that a member got at once */
static int ran[MEMBERS][ROUNDS];

/* The loops of all rounds begin at one place. */
static void loops(int us) {
#pragma omp parallel num_threads(MEMBERS)
  for (int round = 0; round < ROUNDS; round++) {
    long from, to, most = 0;
    int mine = 0;
    bool there = GOMP_loop_nonmonotonic_dynamic_start(0, TRIPS, 1, 1, &from, &to);
    for (; there; there = GOMP_loop_nonmonotonic_dynamic_next(&from, &to)) {
      most = to - from > most ? to - from : most;
      for (long i = from; i < to; i++, mine++) {
        double end = us > 0 ? check_seconds() + us * 1e-6 : 0;
        while (us > 0 && check_seconds() < end)
          ;
      }
    }
    GOMP_loop_end();
    ran[omp_get_thread_num()][round] = mine;
#pragma omp critical
    longest[round] = most > longest[round] ? most : longest[round];
  }
}

static long most_of(int from, int to) {
  long most = 0;
  for (int round = from; round < to; round++)
    most = longest[round] > most ? longest[round] : most;
  return most;
}

int main(void) {
  bool shares = false, even = false;
  double end = check_seconds() + 10;
  while ((!shares || !even) && check_seconds() < end) { /* other processes may disturb a try */
    memset(longest, 0, sizeof longest);
    loops(0);
    shares = most_of(SETTLED, ROUNDS) > 1;
    memset(longest, 0, sizeof longest);
    loops(5);
    even = most_of(SETTLED, ROUNDS) == 1;
    for (int round = 0; round < ROUNDS; round++)
      CHECK_EQ(ran[0][round] + ran[1][round], TRIPS);
  }
  CHECK(shares);
  CHECK(even);
  return 0;
}
