/* fork_member_work.c - the child of any member does all the work of the constructs it comes to */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the child of a member other than 0 is number 0 of 1, at the levels around too, that
// its loops run all iterations in every schedule, and its sections, singles, ordered loops and task
// reductions are complete: in a region, behind a target region in it, and behind a nested region.
// In functions only: in the text of a region gcc takes number and size for constants, over a fork
// too. nanogomp-only: libgomp's child has its part of a static loop only, and hangs at a barrier.
// REQUIRES: nanogomp
// The sanitizers of gcc 12 do not unlock their allocators in a forked child, and others allocate
// here.
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_test
#include "children.h"

enum { TRIPS = 101 };

static void alone(int level) {
  CHECK_EQ(omp_get_level(), level);
  CHECK_EQ(omp_get_thread_num(), 0);
  CHECK_EQ(omp_get_num_threads(), 1);
  CHECK_EQ(omp_get_ancestor_thread_num(level), 0);
  CHECK_EQ(omp_get_team_size(level), 1);
}

static int ran[TRIPS];

static void expect_all(void) {
  for (int i = 0; i < TRIPS; i++)
    CHECK_EQ(ran[i], 1);
  memset(ran, 0, sizeof ran);
}

static void loops(void) {
#pragma omp for schedule(static) nowait
  for (int i = 0; i < TRIPS; i++)
    ran[i]++;
  expect_all();
#pragma omp for schedule(static, 3)
  for (int i = TRIPS; i > 0; i--)
    ran[i - 1]++;
  expect_all();
#pragma omp for schedule(dynamic, 2)
  for (unsigned long long i = 0; i < TRIPS; i++)
    ran[i]++;
  expect_all();
#pragma omp for schedule(static) ordered
  for (int i = 0; i < TRIPS; i++) {
#pragma omp ordered
    ran[i]++;
  }
  expect_all();
#pragma omp for schedule(guided) ordered(1)
  for (int i = 0; i < TRIPS; i++) {
#pragma omp ordered depend(sink : i - 1)
    ran[i]++;
#pragma omp ordered depend(source)
  }
  expect_all();
#pragma omp taskloop
  for (int i = 0; i < TRIPS; i++)
    ran[i]++;
  expect_all();
}

static void others(void) {
  int done = 0, value = 0;
#pragma omp sections
  {
#pragma omp section
    done++;
#pragma omp section
    done++;
#pragma omp section
    done++;
  }
#pragma omp single copyprivate(value)
  value = 1;
#pragma omp single
  done += 10;
#pragma omp masked
  done += 100;
  CHECK_EQ(done, 113);
  CHECK_EQ(value, 1);
}

static long sum;
static void reductions(void) {
  long x = 0;
#pragma omp taskgroup task_reduction(+ : x)
  {
#pragma omp task in_reduction(+ : x)
    x += 5;
#pragma omp task in_reduction(+ : x) if (0)
    x += 6;
  }
  CHECK_EQ(x, 11);
  sum = 0;
#pragma omp for schedule(static) reduction(task, + : sum)
  for (int i = 0; i < TRIPS; i++) {
#pragma omp task in_reduction(+ : sum)
    sum += i;
  }
  CHECK_EQ(sum, TRIPS * (TRIPS - 1) / 2);
}

static void all(int level) {
  alone(level);
  loops();
  others();
  reductions();
#pragma omp barrier
}

static void fork_here(int level) {
  pid_t child = fork();
  if (child == 0) {
    child_limit(20);
    all(level);
    use_runtime(3);
    all(level);
    _exit(13);
  }
  expect_child(child, 13);
}

/* The child comes out of a target region into the region around it. */
static void fork_in_target(void) {
  pid_t child = -1;
#pragma omp target map(tofrom : child)
  {
    child = fork();
    if (child == 0) {
      child_limit(20);
      all(0);
    }
  }
  if (child == 0) {
    all(1);
    _exit(14);
  }
  expect_child(child, 14);
}

/* The master of a nested region, itself a slave, comes out into the region around it. */
static void fork_in_nested(void) {
  pid_t parent = getpid(), child = -1;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    fork_here(2);
  } else {
    child = fork();
    if (child == 0) {
      child_limit(20);
      all(2);
      CHECK_EQ(omp_get_ancestor_thread_num(1), 0);
    }
  }
  if (getpid() != parent) {
    all(1);
    _exit(15);
  }
  expect_child(child, 15);
}

int main(void) {
  omp_set_max_active_levels(2);
  for (int who = 0; who < 4; who++) {
#pragma omp parallel num_threads(4)
    if (omp_get_thread_num() == who) {
      fork_here(1);
      fork_in_target();
      fork_in_nested();
    }
  }
  return 0;
}
