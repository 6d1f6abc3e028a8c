/* overflow.c - a nano-thread that needs more stack than there is */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the guard page ends the program where the overflow is, on a nano-thread's first stack
// and on that of one beside a blocked one. Sanitizers have a report of their own instead.
// UNSUPPORTED: sanitizer
// RUN: %nth_build %s -o %t && %omp_run --status SIGSEGV %t
// RUN: %omp_run --status SIGSEGV %t beside
#include "check.h"
#include <nanogomp/nth.h>

static long deeper(long n) {
  volatile char frame[2048];
  frame[n % 2048] = 1;
  return n == 0 ? 0 : deeper(n - 1) + frame[n % 2048];
}
static void overflow(void) { printf("%ld\n", deeper(100000)); }

static void first(void) {
  struct nth_desc *self = nth_self();
  nth_depadd(self, 2);
  nth_to_lrq(nth_processor(), nth_create_ls(overflow, 0, self, 0));
  nth_block();
}

int main(int argc, char **argv) {
  (void)argv;
  CHECK_EQ(nth_init(0), 0);
  struct nth_desc *me = nth_self();
  CHECK_EQ(nth_depadd(me, 2), 0);
  CHECK_EQ(nth_to_lrq(0, nth_create_ls(argc > 1 ? first : overflow, 0, me, 0)), 0);
  return nth_block();
}
