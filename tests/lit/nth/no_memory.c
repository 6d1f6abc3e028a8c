/* no_memory.c - no memory for the dependences of a nano-thread */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that nth_depend() says ENOMEM when millions of clauses do not fit, at once, that nothing
// has changed then, and that the nano-thread takes its place among tasks afterwards.
// UNSUPPORTED: sanitizer, emulated
// RUN: %nth_test
#include "memory.h"
#include <errno.h>
#include <nanogomp/nth.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { MANY = 4 << 20 }; /* they need 96 MiB */

static void limit(size_t more) {
  struct rlimit r;
  CHECK_EQ(getrlimit(RLIMIT_AS, &r), 0);
  r.rlim_cur = more ? memory_mapped() + more : r.rlim_max;
  CHECK_EQ(setrlimit(RLIMIT_AS, &r), 0);
}

static void add(int *at) { *at += 1; }

int main(void) {
  static void *address[MANY];
  static int kind[MANY];
  int at = 0;
  for (int i = 0; i < MANY; i++)
    kind[i] = NTH_IN;
  /* while the initial thread is in taskwait another one has to run the nano-thread */
  CHECK_EQ(nth_init(2), 0);
  struct nth_desc *nth = nth_create_ls(add, 0, NULL, 1, &at);
  limit((size_t)32 << 20);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(nth_depend(nth, MANY, address, kind), ENOMEM);
  limit(0);
#pragma omp task shared(at) depend(inout : at)
  at += 10;
  address[0] = &at;
  kind[0] = NTH_INOUT;
  CHECK_EQ(nth_depend(nth, 1, address, kind), 0);
#pragma omp task shared(at) depend(inout : at)
  at *= 2;
#pragma omp taskwait
  CHECK_EQ(at, 22);
  CHECK_EQ(nth_exit(), 0);
  return 0;
}
