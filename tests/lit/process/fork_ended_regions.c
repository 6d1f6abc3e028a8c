/* fork_ended_regions.c - fork after the end of regions that were opened inside a task or a target
 * region */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a child writes nothing into the memory that such a task or target region had, which
// is the program's again, and runs regions: after a target region, a teams construct, an undeferred
// task and a deferred one, forked outside of regions and by a member.
// nanogomp-only: libgomp's child waits for ever for threads that it does not have.
// REQUIRES: nanogomp
// The address sanitizer of gcc 12 does not unlock its allocator in a forked child.
// UNSUPPORTED: asan, emulated
// RUN: %omp_test
#include "children.h"

enum { FRAME = 16384, BLOCKS = 200, PATTERN = 0xa5 };

static void region(void) {
  int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
  members++;
  CHECK_EQ(members, 2);
}

static __attribute__((noinline)) void in_target(void) {
#pragma omp target
  region();
}

static __attribute__((noinline)) void in_teams(void) {
#pragma omp teams num_teams(2)
  region();
}

static __attribute__((noinline)) void in_undeferred(void) {
#pragma omp task if (0)
  region();
}

/* Member 0 runs the task and gives its memory back, for the other one is busy until it has run. */
static __attribute__((noinline)) void in_deferred(void) {
  static _Atomic(int) ended;
  ended = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
#pragma omp task
    region();
#pragma omp taskwait
    ended = 1;
  } else {
    CHECK_WAIT_UNTIL(ended);
  }
}

static void check_pattern(const unsigned char *bytes, size_t n) {
  for (size_t i = 0; i < n; i++)
    CHECK_EQ(bytes[i], PATTERN);
}

/* Its frame lies where those above lay, and its blocks where their tasks were. */
static __attribute__((noinline)) void fork_here(void) {
  unsigned char frame[FRAME], *bytes = frame, *block[BLOCKS];
  CHECK_OPAQUE(bytes);
  memset(bytes, PATTERN, FRAME);
  for (int b = 0; b < BLOCKS; b++)
    block[b] = memset(malloc(64 + 8 * (size_t)b), PATTERN, 64 + 8 * (size_t)b);
  pid_t child = fork();
  if (child == 0)
    child_limit(20);
  check_pattern(bytes, FRAME);
  for (int b = 0; b < BLOCKS; b++) {
    check_pattern(block[b], 64 + 8 * (size_t)b);
    free(block[b]);
  }
  if (child == 0) {
    use_runtime(3);
    _exit(11);
  }
  expect_child(child, 11);
}

static void by_member(int who) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == who) {
    in_target();
    fork_here();
    in_undeferred();
    fork_here();
  }
}

int main(void) {
  omp_set_max_active_levels(3);
  in_target();
  fork_here();
  in_teams();
  fork_here();
  in_undeferred();
  fork_here();
  in_deferred();
  fork_here();
  by_member(0);
  by_member(1);
  return 0;
}
