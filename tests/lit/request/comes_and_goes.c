/* comes_and_goes.c - requests for fewer processors every few ms, in all kinds of regions */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that results are right and nothing hangs while processors are taken and given back for a
// second: loops of all schedules, ordered and doacross ones, critical constructs, locks, tasks that
// wait, taskloops, nested regions, and members that wait for each other by flags.
// nanogomp-only: libgomp takes no requests
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: env NTH_MEMBERS=os %omp_run %t
// RUN: env NTH_MEMBERS=nano %omp_run %t
// RUN: env OMP_WAIT_POLICY=active %omp_run %t
#include "Inputs/inside.h"

enum { N = 120, TURNS = 500 };
static int members;

static void loops(void) {
  long sum = 0, turn = 0;
#pragma omp parallel reduction(+ : sum) num_threads(members)
  {
#pragma omp for schedule(dynamic, 2) nowait
    for (int i = 0; i < N; i++)
      check_busy(TURNS), sum += i;
#pragma omp for schedule(guided)
    for (int i = 0; i < N; i++)
      check_busy(TURNS), sum += i;
#pragma omp for schedule(monotonic : dynamic)
    for (int i = 0; i < N; i++)
      sum += i;
#pragma omp for schedule(static, 3)
    for (int i = 0; i < N; i++)
      sum += i;
#pragma omp for ordered schedule(dynamic)
    for (int i = 0; i < N; i++)
#pragma omp ordered
      CHECK_EQ(turn++, i);
#pragma omp sections
    {
#pragma omp section
      sum += 1;
#pragma omp section
      sum += 1;
    }
  }
  CHECK_EQ(sum, 4L * N * (N - 1) / 2 + 2);
}

static void doacross(void) {
  static long value[N];
#pragma omp parallel for ordered(1) schedule(dynamic) num_threads(members)
  for (int i = 0; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
    value[i] = i == 0 ? 1 : value[i - 1] + 1;
#pragma omp ordered depend(source)
  }
  CHECK_EQ(value[N - 1], N);
}

static void exclusion(void) {
  static omp_lock_t lock;
  long inside = 0, sum = 0;
  omp_init_lock(&lock);
#pragma omp parallel for schedule(dynamic) num_threads(members)
  for (int i = 0; i < N; i++) {
#pragma omp critical
    {
      CHECK_EQ(inside++, 0);
      check_busy(TURNS);
      inside--;
    }
    omp_set_lock(&lock);
    sum++;
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  CHECK_EQ(sum, N);
}

static long fib(int n) {
  long a, b;
  if (n < 2)
    return n;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static void tasks(void) {
  long result = 0, sum = 0;
#pragma omp parallel num_threads(members)
#pragma omp single
  {
    result = fib(12);
#pragma omp taskloop grainsize(3) reduction(+ : sum)
    for (int i = 0; i < N; i++)
      check_busy(TURNS), sum += i;
#pragma omp taskgroup
    for (int i = 0; i < N; i++)
#pragma omp task untied depend(inout : result)
    {
#pragma omp taskyield
      result++;
    }
  }
  CHECK_EQ(result, 144 + N);
  CHECK_EQ(sum, (long)N * (N - 1) / 2);
}

static void nested(void) {
  long sum = 0;
#pragma omp parallel num_threads(members) reduction(+ : sum)
  {
    long inner = 0;
#pragma omp parallel for num_threads(2) schedule(dynamic) reduction(+ : inner)
    for (int i = 0; i < 20; i++)
      check_busy(TURNS), inner++;
    sum += inner;
#pragma omp barrier
  }
  CHECK_EQ(sum, 20L * members);
}

/* The last members wait outside the runtime for what the first does. */
static void flags(void) {
  static int flag;
  __atomic_store_n(&flag, 0, __ATOMIC_RELAXED);
#pragma omp parallel num_threads(members)
  {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < N; i++)
      check_busy(TURNS);
    if (omp_get_thread_num() == 0)
      __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    else
      while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
        check_sleep_ms(1);
  }
}

static void *asker(void *unused) {
  uint64_t state = 7;
  double until = check_seconds() + 1;
  while (check_seconds() < until) {
    CHECK_EQ(nth_request((int)(check_random(&state) % ((unsigned)members + 2))), 0);
    check_sleep_ms((long)(check_random(&state) % 8));
  }
  CHECK_EQ(nth_request(0), 0);
  __atomic_store_n(&inside_over, 1, __ATOMIC_RELAXED);
  return unused;
}

int main(void) {
  pthread_t thread;
  members = omp_get_max_threads() > 1 ? omp_get_max_threads() : 2;
  omp_set_max_active_levels(2);
  CHECK_EQ(pthread_create(&thread, NULL, asker, NULL), 0);
  for (int turn = 0; !inside_ends(); turn++) {
    loops();
    doacross();
    exclusion();
    tasks();
    nested();
    if (turn % 8 == 0)
      flags();
  }
  CHECK_EQ(pthread_join(thread, NULL), 0);
  loops();
  nested();
  return 0;
}
