/* short.c - many short loops at the same places: each iteration once, in order where asked */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A runtime may learn that the loops of a place are short, and hand out larger parts of them. Here
// such loops change their length from one time to the next, and now and then have long iterations.
// Schedules dynamic with and without chunk, monotonic or not, runtime; long and unsigned long long;
// with nowait; combined with parallel; orphaned; 2, 3, 5 and 16 members. Each iteration runs once,
// a member's iterations grow where the program asks for it, and lastprivate has the last one's
// value.
// RUN: %omp_test
// RUN: env NTH_RANGES=on %omp_run %t
#include "check.h"

enum { ROUNDS = 1000, MOST = 70 };

static unsigned char ran[MOST];
static _Thread_local volatile unsigned sink;

static void body(int k, int round) {
  CHECK(k >= 0 && k < MOST);
  ran[k]++; /* not atomic: TSan and the count find a second visit */
  if (round % 500 > 496 && k % 8 == 3)
    for (unsigned i = 0; i < 3000; i++)
      sink = i;
}

/* By one member, between barriers. */
static void expect(const char *what, int round, int trips) {
  for (int k = 0; k < MOST; k++)
    if (ran[k] != (k < trips)) {
      fprintf(stderr, "%s, round %d: iteration %d ran %d times\n", what, round, k, ran[k]);
      CHECK_EQ(ran[k], k < trips);
    }
  memset(ran, 0, sizeof ran);
}

#define PRAGMA(text) _Pragma(#text)
#define LOOP(type, clause, grows)                                                                  \
  do {                                                                                             \
    type before = 0;                                                                               \
    PRAGMA(omp for clause lastprivate(last))                                                       \
    for (type i = 5; i < 5 + 3 * (type)trips; i += 3) {                                            \
      CHECK(!(grows) || i > before);                                                               \
      before = i;                                                                                  \
      body((int)(i - 5) / 3, round);                                                               \
      last = (long)i;                                                                              \
    }                                                                                              \
    PRAGMA(omp single) {                                                                           \
      CHECK_EQ(last, 2 + 3 * trips);                                                               \
      expect(#type " " #clause, round, trips);                                                     \
    }                                                                                              \
  } while (0)

static long last; /* shared: what lastprivate sets */

static void orphaned(int trips, int round) {
  LOOP(long, schedule(dynamic, 2), false);
  LOOP(unsigned long long, schedule(monotonic : dynamic), true);
}

static void in_region(int n) {
#pragma omp parallel num_threads(n)
  for (int round = 0; round < ROUNDS; round++) {
    int trips = round < ROUNDS / 2 ? 32 : 1 + round * 7 % MOST;
    LOOP(long, schedule(dynamic), false);
    LOOP(long, schedule(dynamic, 4), false);
    LOOP(long, schedule(monotonic : dynamic), true);
    LOOP(long, schedule(runtime), false);
    LOOP(unsigned long long, schedule(nonmonotonic : dynamic), false);
    orphaned(trips, round);
#pragma omp for schedule(dynamic) nowait
    for (int k = 0; k < trips / 2; k++)
      body(k, round);
#pragma omp for schedule(dynamic) nowait
    for (int k = trips / 2; k < trips; k++)
      body(k, round);
#pragma omp barrier
#pragma omp single
    expect("nowait", round, trips);
  }
}

static void combined(int n) {
  for (int round = 0; round < ROUNDS; round++) {
    int trips = round * 5 % (MOST + 1);
#pragma omp parallel for num_threads(n) schedule(dynamic)
    for (int k = 0; k < trips; k++)
      body(k, round);
    expect("combined", round, trips);
  }
}

int main(void) {
  static const int sizes[] = {2, 3, 5, 16};
  for (int i = 0; i < 4; i++) {
    in_region(sizes[i]);
    combined(sizes[i]);
  }
  return 0;
}
