/* reduction_task.c - reduction(task, ..) on for, sections, scope and parallel, with other
 * clauses */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that tasks with in_reduction, run by whichever member, add to the right copies: loops of
// long and unsigned long long in every schedule, ordered and with lastprivate(conditional:), nowait
// is not allowed there; sections; several items and arrays; constructs after one another and
// nested.
// RUN: %omp_test
#include "check.h"

enum { TRIPS = 61 };

static long sum, product[3];

static void add(long value) {
#pragma omp task in_reduction(+ : sum)
  sum += value;
#pragma omp task in_reduction(+ : product[ : 3])
  {
    product[value % 3] += value;
#pragma omp task in_reduction(+ : sum, product[ : 3]) if (value % 2)
    {
      sum += 2 * value;
      product[0] -= value;
      product[0] += value;
    }
  }
}

static void expect(long n) {
  long third[3] = {0};
  for (long i = 0; i < n; i++)
    third[i % 3] += i;
  CHECK_EQ(sum, 3 * n * (n - 1) / 2);
  for (int k = 0; k < 3; k++) {
    CHECK_EQ(product[k], third[k]);
    product[k] = 0;
  }
  sum = 0;
}

#define PRAGMA(text) _Pragma(#text)
#define LOOP(type, clauses)                                                                        \
  do {                                                                                             \
    PRAGMA(omp for reduction(task, + : sum, product[ : 3]) clauses)                                \
    for (type i = 0; i < TRIPS; i++)                                                               \
      add((long)i);                                                                                \
    PRAGMA(omp single)                                                                             \
    expect(TRIPS);                                                                                 \
  } while (0)

static void loops(void) {
  LOOP(int, schedule(static));
  LOOP(int, schedule(static, 4));
  LOOP(long, schedule(dynamic));
  LOOP(long, schedule(monotonic : dynamic, 3));
  LOOP(int, schedule(guided));
  LOOP(int, schedule(runtime));
  LOOP(unsigned long long, schedule(static));
  LOOP(unsigned long long, schedule(dynamic, 2));
  LOOP(unsigned long long, schedule(guided, 2));
  LOOP(unsigned long long, schedule(runtime));
}

static int turn;
static void ordered(void) {
#pragma omp for ordered schedule(dynamic, 2) reduction(task, + : sum, product[ : 3])
  for (int i = 0; i < TRIPS; i++) {
    add(i);
#pragma omp ordered
    CHECK_EQ(turn++, i);
  }
#pragma omp single
  {
    expect(TRIPS);
    turn = 0;
  }
}

static int last;
static void conditional(void) {
#pragma omp for schedule(dynamic) reduction(task, + : sum, product[ : 3])                          \
    lastprivate(conditional : last)
  for (int i = 0; i < TRIPS; i++) {
    add(i);
    if (i % 10 == 9)
      last = i;
  }
#pragma omp single
  {
    expect(TRIPS);
    CHECK_EQ(last, 59);
  }
}

static void sections(void) {
#pragma omp sections reduction(task, + : sum, product[ : 3])
  {
#pragma omp section
    {
      add(0);
      add(1);
    }
#pragma omp section
    for (int i = 2; i < 9; i++)
      add(i);
  }
#pragma omp single
  expect(9);
}

static void scope(void) {
#pragma omp scope reduction(task, + : sum, product[ : 3])
  if (omp_get_thread_num() == omp_get_num_threads() - 1)
    for (int i = 0; i < 12; i++)
      add(i);
#pragma omp single
  expect(12);
}

static void parallel(int inner) {
#pragma omp parallel num_threads(inner) reduction(task, + : sum, product[ : 3])
#pragma omp for
  for (int i = 0; i < 21; i++)
    add(i);
  expect(21);
}

int main(void) {
  double end = check_seconds() + 3;
  omp_set_max_active_levels(2);
  for (int round = 0; round < 20 && check_seconds() < end; round++) {
    omp_set_schedule((omp_sched_t)(1 + round % 4), round % 3);
#pragma omp parallel
    {
      loops();
      ordered();
      conditional();
      sections();
      scope();
    }
    for (int inner = 1; inner < 5; inner++)
      parallel(inner);
  }
  return 0;
}
