/* figure5.c - figure 5 of "Introducing Batches of Threads": the same in batches */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the program of figure 5 compiles with the library's header and does what it should,
// with a remainder and without (then the figure queues an empty batch). Our rendering, as in
// figure4.c.
// RUN: %nth_test
// RUN: %nth_build %s -o %t.c23 -std=c2x && %omp_run %t.c23
#include "check.h"
#include <nanogomp/nth.h>

static long NumOfThreads, BatchSize;
static int kthreads;
static long Arg1, Arg2, sum;

static void nth_func(long Arg1, long Arg2) {
  __atomic_fetch_add(&sum, Arg1 * 1000 + Arg2, __ATOMIC_RELAXED);
}

static void nth_main(void) {
  long i, nth_batch, nth_batch_remainder;
  struct nth_desc *first_nth, *last_nth;
  struct nth_desc *temp_nth, *nth_myself = nth_self();

  nth_batch = NumOfThreads / BatchSize;
  nth_batch_remainder = NumOfThreads - nth_batch * BatchSize;

  nth_depadd(nth_myself, NumOfThreads + 1);

  for (i = 0; i < nth_batch; i++) {
    first_nth = nth_batch_get_desc(&last_nth, BatchSize);
    temp_nth = first_nth;
    while (temp_nth != NULL) {
      nth_batch_create_ls(temp_nth, nth_func, 0, nth_myself, 2, Arg1++, Arg2);
      temp_nth = nth_batch_get_next(temp_nth);
    }
    nth_batch_to_lrq(i % kthreads, first_nth, last_nth);
  }

  first_nth = nth_batch_get_desc(&last_nth, nth_batch_remainder);
  temp_nth = first_nth;
  while (temp_nth != NULL) {
    nth_batch_create_ls(temp_nth, nth_func, 0, nth_myself, 2, Arg1++, Arg2);
    temp_nth = nth_batch_get_next(temp_nth);
  }
  nth_batch_to_lrq(0, first_nth, last_nth);
  nth_block();
}

int main(void) {
  static const long sizes[] = {1, 7, 8, 16, 100, 1000, 3000};
  CHECK_EQ(nth_init(0), 0);
  kthreads = nth_processors();
  for (NumOfThreads = 1; NumOfThreads < 1500; NumOfThreads += 13)
    for (int s = 0; s < 7; s++) {
      BatchSize = sizes[s];
      Arg1 = sum = 0;
      Arg2 = 1;
      nth_main();
      CHECK_EQ(sum, 1000L * NumOfThreads * (NumOfThreads - 1) / 2 + NumOfThreads);
    }
  CHECK_EQ(nth_exit(), 0);
  return 0;
}
