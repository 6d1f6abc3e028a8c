/* nowait.c - target tasks: nowait, depend, taskwait, taskgroup */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a nowait region captures its firstprivate objects when it is met, has run at
// taskwait, taskgroup end and barriers, and that regions, update, enter and exit keep the order
// that depend clauses ask for among themselves and with tasks.
// RUN: %omp_test
#include "check.h"

enum { N = 50 };

static void captured(void) {
  int seen[N], total = 0;
  double block[100];
  memset(seen, 0, sizeof seen);
  for (int i = 0; i < N; i++) {
    block[99] = i;
#pragma omp target nowait firstprivate(i, block) map(tofrom : seen)
    {
      CHECK_EQ(omp_get_level(), 0);
      CHECK_EQ(omp_get_num_threads(), 1);
      CHECK_EQ(block[99], i);
      seen[i]++;
    }
    block[99] = -1;
  }
#pragma omp taskwait
  for (int i = 0; i < N; i++)
    total += seen[i];
  CHECK_EQ(total, N);
}

static void grouped(void) {
  int count = 0;
#pragma omp taskgroup
  for (int i = 0; i < N; i++) {
#pragma omp task shared(count)
#pragma omp target nowait map(tofrom : count)
#pragma omp atomic
    count++;
  }
  CHECK_EQ(count, N);
}

static void ordered(void) {
  int x = 0, y = 0;
  for (int i = 0; i < N; i++) {
#pragma omp task depend(out : x) shared(x)
    {
      check_busy(200);
      x = i;
    }
#pragma omp target nowait depend(in : x) depend(out : y) map(tofrom : x, y)
    y = x + 1;
#pragma omp target update to(y) depend(inout : y) nowait
#pragma omp target enter data map(to : y) depend(inout : y)
#pragma omp task depend(in : y) depend(inout : x) shared(x, y)
    CHECK_EQ(y, i + 1);
#pragma omp target exit data map(from : y) depend(inout : y)
#pragma omp target depend(inout : x) map(tofrom : x)
    {
      CHECK_EQ(x, i);
      x = -1;
    }
  }
#pragma omp taskwait
  CHECK(x == -1 && y == N);
}

int main(void) {
  captured();
  grouped();
  ordered();
  int at_barrier = 0, at_end = 0, members = 0;
#pragma omp parallel
  {
#pragma omp atomic
    members++;
#pragma omp target nowait map(tofrom : at_barrier)
#pragma omp atomic
    at_barrier++;
#pragma omp barrier
    CHECK_EQ(at_barrier, members);
    captured();
    grouped();
    ordered();
#pragma omp target nowait map(tofrom : at_end)
#pragma omp atomic
    at_end++;
  }
  CHECK_EQ(at_end, members);
  return 0;
}
