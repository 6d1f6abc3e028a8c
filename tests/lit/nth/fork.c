/* fork.c - processes forked beside and inside nano-threads */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a child has no processors and can make some, whether the initial thread forked it or
// a nano-thread, that nth_block() of a parent's initial thread says ECHILD in the child, and that
// the parent goes on as before.
// The sanitizers of gcc 12 do not unlock their allocators in a forked child, and others allocate
// here; the thread sanitizer does not follow fibers there.
// UNSUPPORTED: sanitizer, emulated
// RUN: %nth_test
#include "check.h"
#include <errno.h>
#include <nanogomp/nth.h>
#include <sys/wait.h>

static long ran;
static void count(void) { __atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED); }

static void work(long n) {
  struct nth_desc *me = nth_self();
  ran = 0;
  CHECK_EQ(nth_depadd(me, n + 1), 0);
  for (long i = 0; i < n; i++)
    CHECK_EQ(nth_to_lrq((int)(i % nth_processors()), nth_create_ls(count, 0, me, 0)), 0);
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(ran, n);
}

static void in_child(void) {
  CHECK_EQ(nth_processors(), 0);
  CHECK(!nth_self());
  CHECK_EQ(nth_init(2), 0);
  work(200);
  int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum++;
  CHECK_EQ(sum, 2);
}

static void parent_of(pid_t child, int status) {
  int got;
  CHECK_EQ(waitpid(child, &got, 0), child);
  CHECK_EQ(got, status << 8);
}

static pid_t from_nano;
static int processor;
static void forks(void) {
  processor = nth_processor();
  from_nano = fork();
  if (from_nano == 0) {
    in_child();
    CHECK_EQ(nth_exit(), 0);
  }
}

static void from_main(void) {
  pid_t child = fork();
  if (child == 0) {
    in_child();
    CHECK_EQ(nth_exit(), 0);
    exit(3);
  }
  parent_of(child, 3);
  work(100);
}

/* On processor 0 the child comes back out of nth_block(), on another its only thread ends. */
static void from_nano_thread(int which) {
  struct nth_desc *me = nth_self();
  CHECK_EQ(nth_depadd(me, 2), 0);
  CHECK_EQ(nth_to_lrq(which, nth_create_ls(forks, 0, me, 0)), 0);
  int result = nth_block();
  if (from_nano == 0) {
    CHECK_EQ(result, ECHILD);
    in_child();
    exit(4);
  }
  CHECK_EQ(result, 0);
  parent_of(from_nano, processor == 0 ? 4 : 0);
  work(100);
}

int main(void) {
  CHECK_EQ(nth_init(0), 0);
  for (int turn = 0; turn < CHECK_TIMES(10); turn++) {
    from_main();
    for (int which = 0; which < nth_processors() && which < 3; which++)
      from_nano_thread(which);
  }
  CHECK_EQ(nth_exit(), 0);
  return 0;
}
