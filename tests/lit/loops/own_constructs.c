/* own_constructs.c - trapezoid, affinity and gss with ordered, doacross, cancel, nested teams */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that ordered regions run in order, that a doacross loop keeps its dependences, that a
// cancelled loop ends, that loops in inner teams and nowait loops run each iteration once, and
// reductions add up.
// nanogomp-only: the names are ours; libgomp refuses them.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: env OMP_CANCELLATION=true OMP_SCHEDULE=trapezoid %omp_run %t
// RUN: env OMP_CANCELLATION=true OMP_SCHEDULE=trapezoid,40 %omp_run %t
// RUN: env OMP_CANCELLATION=true OMP_SCHEDULE=affinity %omp_run %t
// RUN: env OMP_CANCELLATION=true OMP_SCHEDULE=affinity,2 %omp_run %t
// RUN: env OMP_CANCELLATION=true OMP_SCHEDULE=gss %omp_run %t
// RUN: env OMP_CANCELLATION=true OMP_SCHEDULE=monotonic:gss,7 %omp_run %t
#include "check.h"

enum { TRIPS = 700, OUTER = 5, INNER = 60 };

static void ordered_regions(void) {
  int next = 0;
#pragma omp parallel for schedule(runtime) ordered
  for (int i = 0; i < TRIPS; i++) {
    if (i % 3 != 0) {
#pragma omp ordered
      {
        CHECK_EQ(next, i);
        next = i + 1;
      }
    } else {
#pragma omp ordered
      {
        CHECK_EQ(next, i);
        next++;
      }
    }
  }
  CHECK_EQ(next, TRIPS);
}

static void doacross(void) {
  static long value[TRIPS + 1][9]; /* row and column 0 are the borders */
  memset(value, 0, sizeof value);
  for (int i = 1; i <= TRIPS; i++)
    value[i][0] = 1;
  for (int j = 1; j <= 8; j++)
    value[0][j] = 1;
#pragma omp parallel for schedule(runtime) ordered(2)
  for (int i = 0; i < TRIPS; i++)
    for (int j = 0; j < 8; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      value[i + 1][j + 1] = (value[i][j + 1] + value[i + 1][j]) % 1000003;
#pragma omp ordered depend(source)
    }
  long row[8];
  for (int i = 0; i < TRIPS; i++)
    for (int j = 0; j < 8; j++) {
      row[j] = ((i ? row[j] : 1) + (j ? row[j - 1] : 1)) % 1000003;
      CHECK_EQ(value[i + 1][j + 1], row[j]);
    }
}

static void cancelled(void) {
  CHECK(omp_get_cancellation());
  for (int at = 0; at < TRIPS; at += 99) {
    int ran = 0;
#pragma omp parallel
    {
#pragma omp for schedule(runtime)
      for (int i = 0; i < TRIPS; i++) {
#pragma omp atomic
        ran++;
        if (i == at) {
#pragma omp cancel for
        }
#pragma omp cancellation point for
      }
    }
    CHECK(ran > 0 && ran <= TRIPS);
    long sum = 0; /* the next loop is whole */
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
    for (int i = 0; i < TRIPS; i++)
      sum += i;
    CHECK_EQ(sum, (long)TRIPS * (TRIPS - 1) / 2);
  }
}

static void nested(void) {
  static int ran[OUTER][INNER];
  memset(ran, 0, sizeof ran);
  omp_set_max_active_levels(2);
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < OUTER; i++) {
#pragma omp parallel num_threads(3)
    {
#pragma omp for schedule(runtime) nowait
      for (int j = 0; j < INNER; j++)
#pragma omp atomic
        ran[i][j]++;
#pragma omp for schedule(runtime)
      for (unsigned long long j = INNER; j > 0; j--)
#pragma omp atomic
        ran[i][j - 1]++;
    }
  }
  for (int i = 0; i < OUTER; i++)
    for (int j = 0; j < INNER; j++)
      CHECK_EQ(ran[i][j], 2);
}

/* Members drift apart over many loops that do not wait for each other. */
static void nowait_chain(void) {
  static int ran[40][TRIPS];
  memset(ran, 0, sizeof ran);
#pragma omp parallel
  for (int l = 0; l < 40; l++) {
#pragma omp for schedule(runtime) nowait
    for (int i = 0; i < TRIPS; i++)
      ran[l][i]++;
  }
  for (int l = 0; l < 40; l++)
    for (int i = 0; i < TRIPS; i++)
      CHECK_EQ(ran[l][i], 1);
}

/* A member that is held up leaves its iterations to the others. */
static void held_up(void) {
  int n = omp_get_max_threads(), ran = 0, by_first = 0;
#pragma omp parallel reduction(+ : by_first)
  {
#pragma omp for schedule(runtime)
    for (int i = 0; i < TRIPS; i++) {
      int now;
#pragma omp atomic capture
      now = ++ran;
      if (omp_get_thread_num() == 0 && by_first++ == 0 && omp_get_num_threads() > 1)
        while (now < TRIPS / (n > 3 ? 8 : 4))
#pragma omp atomic read
          now = ran;
    }
  }
  CHECK_EQ(ran, TRIPS);
}

int main(void) {
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  CHECK(((unsigned)kind & 0xfff) > 0x100); /* the text was understood */
  for (int round = 0; round < 5; round++) {
    ordered_regions();
    doacross();
    cancelled();
    nested();
    nowait_chain();
    held_up();
  }
  return 0;
}
