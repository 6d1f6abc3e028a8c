/* worksharing.c - cancel for, cancel sections */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a cancelled loop gives out no more iterations to who passed a cancellation point,
// that the construct's barrier and the constructs behind it are intact, with every schedule and in
// nested regions, with reductions; and the same for sections.
// RUN: %omp_build %s -o %t
// RUN: env OMP_CANCELLATION=true %omp_run %t
// RUN: env NTH_RANGES=on OMP_CANCELLATION=true %omp_run %t
#include "check.h"

enum { N = 1000 };

static void loop_dynamic(int at) {
  _Atomic(int) after = 0, done = 0;
  int members = 0;
#pragma omp parallel reduction(+ : members)
  {
    members++;
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < N; i++) {
#pragma omp cancellation point for
      if (i == at) {
#pragma omp cancel for
        after++;
      }
      done++;
    }
#pragma omp for schedule(dynamic) /* not cancelled */
    for (int i = 0; i < 50; i++)
      done += 10000;
  }
  CHECK_EQ(after, 0);
  CHECK_EQ(done / 10000, 50);
  CHECK(at >= N ? done % 10000 == N : done % 10000 < N);
  CHECK_EQ(members, omp_get_max_threads());
}

static void loop_static(int at) {
  _Atomic(int) after = 0;
  long sum = 0;
#pragma omp parallel
  for (int twice = 0; twice < 2; twice++) {
#pragma omp for schedule(static) reduction(+ : sum)
    for (int i = 0; i < N; i++) {
      if (i == at && twice == 0) {
#pragma omp cancel for
        after++;
      }
      if (twice == 0) {
#pragma omp cancellation point for
      }
      if (twice == 1)
        sum++;
    }
  }
  CHECK_EQ(after, 0);
  CHECK_EQ(sum, N);
}

/* Alone, in and outside a region: nothing is left after the iteration that cancels. */
static void alone(void) {
  int done = 0;
#pragma omp for
  for (int i = 0; i < 10; i++) {
    if (i == 3) {
#pragma omp cancel for
    }
    done++;
  }
  CHECK_EQ(done, 3);
  done = 0;
#pragma omp parallel num_threads(1)
  for (int n = 0; n < 3; n++) {
#pragma omp for
    for (int i = 0; i < 10; i++) {
#pragma omp cancellation point for
      if (i == n) {
#pragma omp cancel for
      }
      done++;
    }
  }
  CHECK_EQ(done, 3);
}

static void sections(int who) {
  _Atomic(int) done = 0, behind = 0;
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      {
        if (who == 0) {
#pragma omp cancel sections
        }
        done++;
      }
#pragma omp section
      {
        if (who == 1) {
#pragma omp cancel sections
        }
#pragma omp cancellation point sections
        done++;
      }
#pragma omp section
      {
#pragma omp cancel sections if (who > 2)
        done++;
      }
    }
#pragma omp sections
    {
#pragma omp section
      behind++;
#pragma omp section
      behind++;
    }
  }
  CHECK_EQ(behind, 2);
  if (who == 2)
    CHECK_EQ(done, 3);
  else
    CHECK(done < 3);
}

static void nested(void) {
  _Atomic(int) inner = 0;
#pragma omp parallel num_threads(3)
  {
    int n = omp_get_thread_num();
#pragma omp parallel num_threads(2)
    {
#pragma omp for
      for (int i = 0; i < 100; i++) {
        if (n == 0) {
#pragma omp cancel for
        }
#pragma omp cancellation point for
        inner++;
      }
#pragma omp for
      for (int i = 0; i < 100; i++)
        inner++;
    }
  }
#pragma omp parallel num_threads(3)
#pragma omp masked
  CHECK_EQ(inner, 100 * (2 * omp_get_num_threads() - 1));
}

int main(void) {
  omp_set_max_active_levels(2);
  for (int round = 0; round < CHECK_TIMES(500); round++) {
    loop_dynamic(round * 7 % (N + 100));
    loop_static(round * 13 % N);
    alone();
    sections(round % 4);
    if (round % 10 == 0)
      nested();
  }
  return 0;
}
