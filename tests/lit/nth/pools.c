/* pools.c - NTH_POOL says where a descriptor and a stack come from that another processor has
 * used */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a processor gets the descriptor and the stack that another one has just given back
// with a central pool, and others where each keeps its own; all of it with the address of a
// descriptor and of a frame on the stack.
// RUN: %nth_build %s -o %t
// RUN: env NTH_POOL=central %omp_run %t same
// RUN: env NTH_POOL=local %omp_run %t own
// RUN: env NTH_POOL=hier %omp_run %t own
// RUN: %omp_run %t own
#include "check.h"
#include <nanogomp/nth.h>

enum { STACK = 256 << 10 };

static int done, busy, over;
static uintptr_t here, there; /* on a stack of processor 1, then of processor 0 */

static void nothing(void) {}
static void set(int *flag) { __atomic_store_n(flag, 1, __ATOMIC_RELEASE); }
static int is_set(int *flag) { return __atomic_load_n(flag, __ATOMIC_ACQUIRE); }
static void tell(void) { set(&done); }

static int descriptors(void) {
  struct nth_desc *second = nth_create(tell, 1, 0, 0),
                  *first = nth_create_ls(nothing, 0, second, 0);
  CHECK_EQ(nth_to_lrq(1, first), 0);
  CHECK_WAIT_UNTIL(is_set(&done)); /* the first one has been given back, perhaps the second one
                                    * too */
  struct nth_desc *third = nth_create(nothing, 0, 0, 0);
  CHECK_EQ(nth_to_lrq(0, third), 0);
  return third == first || third == second;
}

/* Queues f, and waits for it beside. */
static void wait_for(void (*f)(void)) {
  CHECK_EQ(nth_depadd(nth_self(), 2), 0);
  CHECK_EQ(nth_to_lrq(nth_processor(), nth_create_ls(f, 0, nth_self(), 0)), 0);
  CHECK_EQ(nth_block(), 0);
}

/* The one in the middle is on a stack of which its processor has no need when all have ended. */
static void middle(void) {
  here = (uintptr_t)__builtin_frame_address(0); /* not of a variable, which sanitizers may keep
                                                 * elsewhere */
  wait_for(nothing);
}

static void outer(void) {
  wait_for(middle);
  tell();
}

static void inner(void) {
  there = (uintptr_t)__builtin_frame_address(0);
  set(&over);
}

static void blocks(void) { wait_for(inner); }

static void spins(void) {
  set(&busy);
  CHECK_WAIT_UNTIL(is_set(&over));
}

static int stacks(void) {
  done = 0;
  CHECK_EQ(nth_to_lrq(1, nth_create(outer, 0, 0, 0)), 0);
  CHECK_WAIT_UNTIL(is_set(&done));
  CHECK_EQ(nth_depadd(nth_self(), 3), 0);
  CHECK_EQ(nth_to_lrq(1, nth_create_ls(spins, 0, nth_self(), 0)), 0);
  CHECK_WAIT_UNTIL(is_set(&busy)); /* it takes nothing of processor 0's */
  CHECK_EQ(nth_to_lrq(0, nth_create_ls(blocks, 0, nth_self(), 0)), 0);
  CHECK_EQ(nth_block(), 0);
  return here - there + STACK / 2 < STACK;
}

int main(int argc, char **argv) {
  int same = argc > 1 && strcmp(argv[1], "same") == 0;
  CHECK_EQ(nth_init(2), 0);
  CHECK_EQ(descriptors(), same);
  CHECK_EQ(stacks(), same);
  CHECK_EQ(nth_exit(), 0);
  return 0;
}
