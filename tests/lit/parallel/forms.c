/* forms.c - parallel: the num_threads and if clauses */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each form gives a team of the right size whose members have the numbers 0..n-1 once
// each, that if(0) gives a team of one at level 1, and that values computed in order come back.
// RUN: %omp_test
#include "check.h"

enum { MOST = 40 };

static int seen[MOST];

static void member(int want) {
  int n = omp_get_num_threads(), me = omp_get_thread_num();
  CHECK_EQ(n, want);
  CHECK(me >= 0 && me < n);
  CHECK_EQ(omp_get_level(), 1);
  CHECK_EQ(omp_get_active_level(), want > 1);
  CHECK_EQ(omp_in_parallel(), want > 1);
#pragma omp atomic
  seen[me]++;
}

static void all_once(int want) {
  for (int i = 0; i < MOST; i++)
    CHECK_EQ(seen[i], i < want);
  memset(seen, 0, sizeof seen);
  CHECK_EQ(omp_get_level(), 0);
  CHECK_EQ(omp_get_num_threads(), 1);
  CHECK_EQ(omp_get_thread_num(), 0);
}

int main(void) {
  int most = omp_get_max_threads();
  CHECK(most <= MOST);
  for (int round = 0; round < 3; round++) {
#pragma omp parallel
    member(most);
    all_once(most);
    for (int n = 1; n <= 9; n++) {
#pragma omp parallel num_threads(n)
      member(n);
      all_once(n);
    }
    for (int condition = 0; condition < 2; condition++) {
#pragma omp parallel if (condition)
      member(condition ? most : 1);
      all_once(condition ? most : 1);
#pragma omp parallel num_threads(3) if (parallel : !condition)
      member(condition ? 1 : 3);
      all_once(condition ? 1 : 3);
    }
    omp_set_num_threads(5);
#pragma omp parallel
    member(5);
    all_once(5);
    omp_set_num_threads(most);
  }
  long value[MOST] = {0}, shared = 7;
#pragma omp parallel num_threads(6) firstprivate(shared)
  {
    shared += omp_get_thread_num();
    value[omp_get_thread_num()] = shared * 10;
  }
  for (int i = 0; i < 6; i++)
    CHECK_EQ(value[i], (7 + i) * 10);
  CHECK_EQ(shared, 7);
  return 0;
}
