/* no_stack.c - no memory for another stack */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that nth_block() says ENOMEM when there is no stack to go to, that nothing has changed
// then, and that it works again when there is one.
// UNSUPPORTED: sanitizer, emulated
// RUN: %nth_test
#include "memory.h"
#include <errno.h>
#include <nanogomp/nth.h>
#include <stdbool.h>
#include <sys/resource.h>

enum { DEEP = 400 };
static long refused, depth, gone;

static void limit(bool narrow) {
  enum { MORE = 16 << 20 }; /* some stacks */
  struct rlimit r = {RLIM_INFINITY, RLIM_INFINITY};
  CHECK_EQ(getrlimit(RLIMIT_AS, &r), 0);
  r.rlim_cur = narrow ? memory_mapped() + MORE : r.rlim_max;
  CHECK_EQ(setrlimit(RLIMIT_AS, &r), 0);
}

/* The first one that is refused ends the limit; it and those below it wait all the same. */
static void descend(long n) {
  struct nth_desc *self = nth_self();
  __atomic_fetch_add(&depth, 1, __ATOMIC_RELAXED);
  if (n > 0) {
    CHECK_EQ(nth_depadd(self, 2), 0);
    CHECK_EQ(nth_to_lrq(nth_processor(), nth_create_ls(descend, 0, self, 1, n - 1)), 0);
    int error;
    while ((error = nth_block()) != 0) {
      CHECK_EQ(error, ENOMEM);
      __atomic_fetch_add(&refused, 1, __ATOMIC_RELAXED);
      limit(false); /* nothing can be allocated before it */
    }
  }
  __atomic_fetch_add(&gone, 1, __ATOMIC_RELAXED);
}

int main(void) {
  CHECK_EQ(nth_init(0), 0);
  struct nth_desc *me = nth_self();
  limit(true);
  CHECK_EQ(nth_depadd(me, 2), 0);
  CHECK_EQ(nth_to_lrq(0, nth_create_ls(descend, 0, me, 1, (long)DEEP)), 0);
  CHECK_EQ(nth_block(), 0);
  CHECK(refused > 0);
  CHECK_EQ(depth, DEEP + 1);
  CHECK_EQ(gone, DEEP + 1);
  CHECK_EQ(nth_exit(), 0);
  return 0;
}
