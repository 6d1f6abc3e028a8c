/* taskloop.c - taskloop: division, ranges, clauses */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks each iteration runs once, with the sizes of tasks that grainsize and num_tasks promise
// (strict or not), steps of both signs, ranges at the ends of the types, no iterations, collapse,
// nogroup, if(0), final, firstprivate, lastprivate. Argument 1: also signed ranges of more than
// 2^63 values, whose iterations libgomp 12 leaves out.
// RUN: %omp_build %s -o %t && %omp_run %t %own
#include "check.h"

#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" /* gcc 12 about its own variables */

enum { MOST = 4096 };
static _Atomic(int) seen[MOST];
static _Atomic(long) total;

static void begin(void) {
  for (int i = 0; i < MOST; i++)
    seen[i] = 0;
  total = 0;
}
static void once(int from, int to) {
  for (int i = 0; i < MOST; i++)
    CHECK_EQ(seen[i], i >= from && i < to);
}

/* Tasks are told apart by the address of a private copy's number: each counts its iterations. */
static long next_task, size_of[MOST];

static void sizes(int n, int mode, int wanted) {
  next_task = 0;
  memset(size_of, 0, sizeof size_of);
  begin();
#define BODY                                                                                       \
  for (int i = 0; i < n; i++) {                                                                    \
    if (mine < 0) {                                                                                \
      long t;                                                                                      \
      _Pragma("omp atomic capture") t = next_task++;                                               \
      mine = t;                                                                                    \
    }                                                                                              \
    size_of[mine]++;                                                                               \
    seen[i]++;                                                                                     \
  }
  long mine = -1;
  switch (mode) {
  case 0:
#pragma omp taskloop grainsize(wanted) firstprivate(mine)
    BODY break;
  case 1:
#pragma omp taskloop grainsize(strict : wanted) firstprivate(mine)
    BODY break;
  case 2:
#pragma omp taskloop num_tasks(wanted) firstprivate(mine)
    BODY break;
  case 3:
#pragma omp taskloop num_tasks(strict : wanted) firstprivate(mine)
    BODY break;
  default:
#pragma omp taskloop firstprivate(mine)
    BODY break;
  }
  once(0, n);
  long shorter = 0, least = n, most = 0;
  for (int t = 0; t < next_task; t++) {
    least = size_of[t] < least ? size_of[t] : least;
    most = size_of[t] > most ? size_of[t] : most;
    shorter += size_of[t] != wanted;
  }
  if (mode == 0) /* fewer than a grain: one task with all */
    CHECK(n < wanted ? next_task == 1 : least >= wanted && most < 2 * wanted);
  if (mode == 1) {
    CHECK_EQ(next_task, (n + wanted - 1) / wanted);
    CHECK(shorter <= (n % wanted != 0));
  }
  if (mode == 2 || mode == 3) {
    CHECK_EQ(next_task, n < wanted ? n : wanted);
    CHECK(most - least <= 1);
  }
  CHECK_EQ(mine, -1);
}

static bool wide;

static void ranges(void) {
  begin();
#pragma omp taskloop grainsize(7)
  for (int i = 99; i > 0; i -= 3)
    seen[i / 3 - 1]++;
  once(0, 33);
  begin();
#pragma omp taskloop
  for (long i = INT64_MAX - 100; i < INT64_MAX - 3; i += 5)
    seen[(i - (INT64_MAX - 100)) / 5]++;
  once(0, 20);
  begin();
#pragma omp taskloop num_tasks(3)
  for (long i = INT64_MIN + 50; i > INT64_MIN; i--)
    seen[i - INT64_MIN - 1]++;
  once(0, 50);
  begin();
#pragma omp taskloop num_tasks(5)
  for (unsigned long long i = UINT64_MAX - 20; i < UINT64_MAX; i++)
    seen[i - (UINT64_MAX - 20)]++;
  once(0, 20);
  begin();
#pragma omp taskloop grainsize(4)
  for (unsigned long long i = 30; i > 2; i -= 3)
    seen[i / 3 - 1]++;
  once(0, 10);
  begin();
#pragma omp taskloop num_tasks(4) /* four steps over the whole range */
  for (unsigned long long i = 0; i <= UINT64_MAX / 4 * 3; i += UINT64_MAX / 4)
    seen[i / (UINT64_MAX / 4)]++;
  once(0, 4);
  begin();
#pragma omp taskloop num_tasks(4)
  for (long i = INT64_MIN; i < INT64_MAX / 2; i += INT64_MAX / 2)
    total++;
  if (wide)
    CHECK_EQ(total, 4);
  total = 0;
#pragma omp taskloop
  for (unsigned char i = 200; i < 255; i++)
    total += i;
  CHECK_EQ(total, 12485);
}

static void nothing(int zero) {
  int last = 5;
#pragma omp taskloop lastprivate(last)
  for (int i = 0; i < zero; i++)
    last = i;
#pragma omp taskloop grainsize(3)
  for (int i = 10; i < zero; i++)
    CHECK(false);
#pragma omp taskloop
  for (unsigned long long i = 10; i < (unsigned long long)zero; i++)
    CHECK(false);
#pragma omp taskloop collapse(2)
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < zero; j++)
      CHECK(false);
  CHECK_EQ(last, 5);
}

static void clauses(int n) {
  int last = 0, first = 17;
  long sum = 0;
#pragma omp taskloop lastprivate(last) firstprivate(first) grainsize(2)
  for (int i = 0; i < n; i++) {
    CHECK_EQ(first, 17);
    last = i;
  }
  CHECK_EQ(last, n - 1);
#pragma omp taskloop firstprivate(last) lastprivate(last)
  for (int i = 0; i < n; i++)
    last = i * 2;
  CHECK_EQ(last, 2 * (n - 1));
  begin();
#pragma omp taskloop collapse(2) lastprivate(last)
  for (int i = 0; i < n; i++)
    for (int j = 5; j > 0; j--) {
      seen[i * 5 + j - 1]++;
      last = i * 10 + j;
    }
  once(0, 5 * n);
  CHECK_EQ(last, (n - 1) * 10 + 1);
  begin();
#pragma omp taskloop collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      total++;
  CHECK_EQ(total, n * (n - 1) / 2);
  begin();
#pragma omp taskloop if (0) shared(sum)
  for (int i = 0; i < n; i++)
    sum += i; /* undeferred: alone */
  CHECK_EQ(sum, n * (n - 1) / 2);
#pragma omp taskloop final(1) shared(sum)
  for (int i = 0; i < n; i++) {
    CHECK(omp_in_final());
#pragma omp atomic
    sum -= i;
  }
  CHECK_EQ(sum, 0);
#pragma omp taskgroup
  {
#pragma omp taskloop nogroup
    for (int i = 0; i < n; i++) {
#pragma omp task
      total++;
    }
  }
  CHECK_EQ(total, n);
#pragma omp taskloop nogroup untied priority(2)
  for (int i = 0; i < n; i++)
    total++;
#pragma omp taskwait
  CHECK_EQ(total, 2 * n);
#pragma omp taskloop
  for (int i = 0; i < n; i++) { /* its group waits for descendants */
#pragma omp task
    total++;
  }
  CHECK_EQ(total, 3 * n);
}

static void reductions(int n) {
  long sum = 1, most = 0;
#pragma omp taskloop reduction(+ : sum) reduction(max : most) grainsize(3)
  for (int i = 0; i < n; i++) {
    sum += i;
    most = i > most ? i : most;
  }
  CHECK_EQ(sum, 1 + n * (n - 1) / 2);
  CHECK_EQ(most, n - 1);
  long array[5] = {0};
#pragma omp taskgroup task_reduction(+ : sum, array)
  {
#pragma omp taskloop in_reduction(+ : sum, array) nogroup
    for (int i = 0; i < n; i++) {
      sum++;
      array[i % 5] += i;
    }
    for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
      {
#pragma omp task in_reduction(+ : sum)
        sum++;
        sum++;
      }
    }
#pragma omp task if (0) in_reduction(+ : array)
    array[0] += 1000;
  }
  CHECK_EQ(sum, 1 + n * (n - 1) / 2 + n + 20);
  CHECK_EQ(array[0] + array[1] + array[2] + array[3] + array[4], n * (n - 1) / 2 + 1000);
  sum = 0;
#pragma omp taskloop reduction(+ : sum)
  for (int i = n; i < n; i++)
    sum++;
  CHECK_EQ(sum, 0);
#pragma omp taskloop reduction(+ : sum) if (0)
  for (int i = 0; i < n; i++)
    sum++;
  CHECK_EQ(sum, n);
}

static void all(int round) {
  for (int mode = 0; mode < 5; mode++) {
    sizes(1 + round * 37 % 500, mode, 1 + round * 11 % 60);
    sizes(1 + round % 7, mode, 1 + round % 5);
  }
  ranges();
  nothing(round - round);
  clauses(2 + round % 30);
  reductions(2 + round % 50);
}

int main(int argc, char **argv) {
  wide = argc > 1 && atoi(argv[1]);
  for (int round = 0; round < CHECK_TIMES(wide ? 60 : 10); round++) {
#pragma omp parallel
#pragma omp single
    all(round);
    all(round);
  }
  return 0;
}
