/* reduction_user.c - user-defined reductions and reductions of arrays */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks declare reduction with initializer over structs, array and array-section reductions, and
// reduction(inscan) prefix sums, inclusive and exclusive.
// RUN: %omp_test
#include "check.h"

enum { TRIPS = 1000, BINS = 37 };

struct best {
  long value, where;
};

static void merge(struct best *into, const struct best *from) {
  if (from->value > into->value || (from->value == into->value && from->where < into->where))
    *into = *from;
}
#pragma omp declare reduction(best : struct best : merge(&omp_out, &omp_in))                       \
    initializer(omp_priv = {-1, -1})

static void scans(const int *in) {
  static long inclusive[TRIPS], exclusive[TRIPS];
  long sum = 7, total = 7;
#pragma omp parallel for reduction(inscan, + : sum)
  for (int i = 0; i < TRIPS; i++) {
    sum += in[i];
#pragma omp scan inclusive(sum)
    inclusive[i] = sum;
  }
  sum = 7;
#pragma omp parallel for reduction(inscan, + : sum)
  for (int i = 0; i < TRIPS; i++) {
    exclusive[i] = sum;
#pragma omp scan exclusive(sum)
    sum += in[i];
  }
  for (int i = 0; i < TRIPS; i++) {
    CHECK_EQ(exclusive[i], total);
    total += in[i];
    CHECK_EQ(inclusive[i], total);
  }
  CHECK_EQ(sum, total);
}

int main(void) {
  static int in[TRIPS];
  for (int i = 0; i < TRIPS; i++)
    in[i] = i * 7919 % 997;
  double end = check_seconds() + 1.5;
  for (int round = 0; round < 50 && check_seconds() < end; round++) {
    struct best best = {-5, -5}, want = {-5, -5};
    long histogram[BINS] = {0}, *section = calloc(BINS, sizeof *section), check[BINS] = {0};
#pragma omp parallel for schedule(dynamic, 5) reduction(best : best)                               \
    reduction(+ : histogram, section[ : BINS])
    for (int i = 0; i < TRIPS; i++) {
      struct best here = {in[i], i};
      merge(&best, &here);
      histogram[in[i] % BINS] += i;
      section[i % BINS] += in[i];
    }
    for (int i = 0; i < TRIPS; i++) {
      struct best here = {in[i], i};
      merge(&want, &here);
      check[in[i] % BINS] += i;
      section[i % BINS] -= in[i];
    }
    CHECK_EQ(best.value, want.value);
    CHECK_EQ(best.where, want.where);
    for (int b = 0; b < BINS; b++) {
      CHECK_EQ(histogram[b], check[b]);
      CHECK_EQ(section[b], 0);
    }
    free(section);
    scans(in);
  }
  return 0;
}
