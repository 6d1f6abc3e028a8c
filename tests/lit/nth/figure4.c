/* figure4.c - figure 4 of "Introducing Batches of Threads": nano-threads one by one */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the program of figure 4 compiles with the library's header and does what it should.
// Our rendering: the calls are those of the figure, in its order; what it leaves open (the numbers,
// the work) and the program around is ours.
// RUN: %nth_test
// RUN: %nth_build %s -o %t.c23 -std=c2x && %omp_run %t.c23
#include "check.h"
#include <nanogomp/nth.h>

#define NumOfThreads 1000
static int kthreads;
static long Arg1, Arg2, sum;

void nth_func(long Arg1, long Arg2);
void nth_func(long Arg1, long Arg2) {
  __atomic_fetch_add(&sum, Arg1 * 1000 + Arg2, __ATOMIC_RELAXED);
}

static void nth_main(void) {
  long i;
  struct nth_desc *nth, *nth_myself = nth_self();

  nth_depadd(nth_myself, NumOfThreads + 1);
  for (i = 0; i < NumOfThreads; i++) {
    Arg1 = i;
    Arg2 = 1;
    nth = nth_create_ls(nth_func, 0, nth_myself, 2, Arg1, Arg2);
    nth_to_lrq(i % kthreads, nth);
  }
  nth_block();
}

int main(void) {
  int turn;
  CHECK_EQ(nth_init(0), 0);
  kthreads = nth_processors();
  for (turn = 1; turn <= 50; turn++) {
    nth_main();
    CHECK_EQ(sum, turn * (1000L * NumOfThreads * (NumOfThreads - 1) / 2 + NumOfThreads));
  }
  CHECK_EQ(nth_exit(), 0);
  return 0;
}
