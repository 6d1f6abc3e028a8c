/* header.c - nanogomp/nth.h in each version of C; header.cpp is the same in C++ */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the header needs no other, and that functions with parameters can be given to it
// without warnings.
// REQUIRES: base
// RUN: %nth_build %s -o %t.90 -std=gnu90 -Wno-comment && %omp_run %t.90
// RUN: %nth_build %s -o %t.11 -std=c11 -Wpedantic && %omp_run %t.11
// RUN: %nth_build %s -o %t.23 -std=c2x -Wpedantic && %omp_run %t.23
#include <nth.h>

static long result[4];

static void three(long a, long *b, long c) { *b = a * 10 + c; }
static void none(void) { result[3] = 1; }

int main(void) {
  struct nth_desc *me, *first, *last;
  long i;
  if (nth_init(1))
    return 1;
  me = nth_self();
  nth_depadd(me, 5);
  nth_to_lrq(0, nth_create(three, 0, 1, 3, me, 5L, &result[0], 1L));
  nth_to_lrq_end(0, nth_create_ls(three, 0, me, 3, 6L, &result[1], 2L));
  first = nth_batch_get_desc(&last, 2);
  nth_batch_create(first, three, 0, 1, 3, me, 7L, &result[2], 3L);
  nth_batch_create_ls(nth_batch_get_next(first), none, 0, me, 0);
  nth_batch_to_lrq_end(0, first, last);
  nth_block();
  for (i = 0; i < 3; i++)
    if (result[i] != (5 + i) * 10 + 1 + i)
      return 2;
  return result[3] != 1 || nth_exit();
}
