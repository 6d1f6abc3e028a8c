/* stack_size.c - the stacks of nano-threads are as large as OMP_STACKSIZE says */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first ones are made by nth_init(), which is the program's first call of the library.
// UNSUPPORTED: sanitizer, emulated
// RUN: %nth_build %s -o %t
// RUN: env OMP_STACKSIZE=64M %omp_run %t
#include "check.h"
#include <nanogomp/nth.h>

enum { BYTES = 32 << 20, PAGE = 4096 };

static void deep(void) {
  volatile char big[BYTES];
  for (int i = BYTES - 1; i >= 0; i -= PAGE)
    big[i] = 1;
  CHECK_EQ(big[PAGE - 1], 1);
}

int main(void) {
  CHECK_EQ(nth_init(2), 0);
  struct nth_desc *me = nth_self();
  CHECK_EQ(nth_depadd(me, 5), 0);
  for (int i = 0; i < 4; i++)
    CHECK_EQ(nth_to_lrq(i % nth_processors(), nth_create_ls(deep, 0, me, 0)), 0);
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(nth_exit(), 0);
  return 0;
}
