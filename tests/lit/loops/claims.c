/* claims.c - loops whose chunks are claimed several at once: each iteration once, in order */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of many empty chunks and some long ones, which a runtime that claims several short chunks
// at once may misjudge. Schedules dynamic, guided and runtime, monotonic or not, ordered or not;
// over long and unsigned long long, up and down, to the ends of the types; 1, 2, 5 and 16 members;
// left by cancel; sections. Each iteration runs once, in growing order where the program asks for
// it, and lastprivate has the last iteration's value.
// RUN: %omp_build %s -o %t
// RUN: env OMP_CANCELLATION=true %omp_run %t
// RUN: env OMP_CANCELLATION=true NTH_RANGES=on %omp_run %t
#include "check.h"
#include <limits.h>

enum { TRIPS = 30000 };

static unsigned char ran[TRIPS];
static _Thread_local volatile unsigned sink;

static void body(unsigned long k) {
  CHECK(k < TRIPS);
  ran[k]++; /* not atomic: TSan and the count find a second visit */
  if (k % 5000 > 4990)
    for (unsigned i = 0; i < 20000; i++)
      sink = i;
}

static void expect(const char *what, int n) {
  for (int k = 0; k < TRIPS; k++)
    if (ran[k] != 1) {
      fprintf(stderr, "%s, %d members: iteration %d ran %d times\n", what, n, k, ran[k]);
      CHECK(ran[k] == 1);
    }
  memset(ran, 0, sizeof ran);
}

#define PRAGMA(text) _Pragma(#text)
/* Over value i, whose number is k; `grows`: each member's numbers grow. */
#define LOOP(n, type, first, test, next, number, clause, grows)                                    \
  do {                                                                                             \
    type last_value = 0;                                                                           \
    PRAGMA(omp parallel num_threads(n)) {                                                          \
      long before = -1;                                                                            \
      PRAGMA(omp for clause lastprivate(last_value))                                               \
      for (type i = first; test; next) {                                                           \
        long k = (long)(number);                                                                   \
        CHECK(!(grows) || k > before);                                                             \
        before = k;                                                                                \
        body((unsigned long)k);                                                                    \
        last_value = i;                                                                            \
      }                                                                                            \
    }                                                                                              \
    type i = last_value;                                                                           \
    CHECK_EQ((long)(number), TRIPS - 1);                                                           \
    expect(#clause " " #type, n);                                                                  \
  } while (0)

/* Up from a negative value, down to one, and up or down to the end of the type. */
#define LONGS(n, clause, grows)                                                                    \
  do {                                                                                             \
    LOOP(n, long, -77, i < -77 + 3L * TRIPS, i += 3, (i + 77) / 3, clause, grows);                 \
    LOOP(n, long, 500, i > 500 - 7L * TRIPS, i -= 7, (500 - i) / 7, clause, grows);                \
    LOOP(n, long, LONG_MAX - TRIPS, i < LONG_MAX, i++, i - (LONG_MAX - TRIPS), clause, grows);     \
    LOOP(n, long, LONG_MIN + TRIPS, i > LONG_MIN, i--, LONG_MIN + TRIPS - i, clause, grows);       \
  } while (0)

#define ULLS(n, clause, grows)                                                                     \
  do {                                                                                             \
    LOOP(n, unsigned long long, 9, i < 9 + 5ull * TRIPS, i += 5, (i - 9) / 5, clause, grows);      \
    LOOP(n, unsigned long long, ULLONG_MAX - 2ull * TRIPS, i < ULLONG_MAX - 1, i += 2,             \
         (i - (ULLONG_MAX - 2ull * TRIPS)) / 2, clause, grows);                                    \
    LOOP(n, unsigned long long, TRIPS, i > 0, i--, TRIPS - i, clause, grows);                      \
  } while (0)

#define BOTH(n, clause, grows)                                                                     \
  LONGS(n, clause, grows);                                                                         \
  ULLS(n, clause, grows)

static void ordered(int n) {
  long next = 0;
#pragma omp parallel num_threads(n)
  {
#pragma omp for ordered schedule(dynamic)
    for (long k = 0; k < TRIPS; k++) {
      body((unsigned long)k);
#pragma omp ordered
      {
        CHECK_EQ(next, k);
        next++;
      }
    }
#pragma omp for ordered schedule(dynamic, 3)
    for (long k = 0; k < TRIPS; k++) {
      if (k % 3 == 1) /* not each chunk, nor each iteration, has a region */
#pragma omp ordered
      {
        CHECK(next < k + TRIPS);
        next = k + TRIPS;
      }
    }
  }
  CHECK_EQ(next, TRIPS - 2 + TRIPS);
  expect("ordered", n);
}

/* What ran before the end, ran once. */
static void cancelled(int n) {
#pragma omp parallel num_threads(n)
  {
#pragma omp for schedule(dynamic)
    for (long k = 0; k < TRIPS; k++) {
      body((unsigned long)k);
      if (k == TRIPS / 2) {
#pragma omp cancel for
      }
#pragma omp cancellation point for
    }
#pragma omp for schedule(monotonic : dynamic)
    for (long k = 0; k < TRIPS; k++)
#pragma omp atomic
      ran[k] |= 2;
  }
  for (int k = 0; k < TRIPS; k++)
    CHECK((ran[k] & ~1) == 2);
  CHECK(ran[TRIPS / 2] == 3);
  memset(ran, 0, sizeof ran);
}

static void sections(int n) {
  int count[4] = {0};
  for (int i = 0; i < 500; i++)
#pragma omp parallel sections num_threads(n)
  {
#pragma omp section
    count[0]++;
#pragma omp section
    count[1]++;
#pragma omp section
    count[2]++;
#pragma omp section
    count[3]++;
  }
  for (int s = 0; s < 4; s++)
    CHECK_EQ(count[s], 500);
}

int main(void) {
  static const int members[] = {1, 2, 5, 16};
  for (unsigned m = 0; m < 4; m++) {
    int n = members[m];
    BOTH(n, schedule(dynamic), 0);
    BOTH(n, schedule(monotonic : dynamic), 1);
    BOTH(n, schedule(dynamic, 7), 0);
    BOTH(n, schedule(monotonic : dynamic, 7), 1);
    BOTH(n, schedule(guided), 0);
    BOTH(n, schedule(runtime), 0);
    BOTH(n, schedule(monotonic : runtime), 1);
    ordered(n);
    cancelled(n);
    sections(n);
  }
  return 0;
}
