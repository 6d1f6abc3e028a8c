/* stack.h - stacks beside an OS thread's own, and the step from one to another
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A nano-thread needs a stack of its own only beside one that is blocked. "Direct stack
 *             reuse" of the NthLib in "Introducing Batches of Threads", section 5: none is taken
 *             when a nano-thread is created; it starts on the stack of the one that has just
 *             finished, by a plain call, and on another one only if that one has blocked.
 * Use         nth_stack_take(f): a stack on which f(k) will start; nth_stack_switch(k's): leaves
 *             the current one for another; nth_stack_give(): it is not used any more. A processor's
 *             own stack, which the system gave it, is a struct nth_stack without memory
 * Memory      mapped with a guard page below, so that an overflow is a SIGSEGV at its place; the
 *             object itself lies at the upper end. As large as a thread's, since the same code runs
 *             on it: that is address space, of which only what is used becomes memory. Free ones
 *             are in the pools (mem/pool.h), as NTH_POOL has it; what finds no room there is
 *             unmapped
 * Invariants  I1  a stack is where somebody runs, or waits, or in a pool
 *             I2  who waits on a stack goes on with the thread pointer with which it started there
 * Orders      a stack is its processor's alone; the pools order its users
 * Valgrind    knows each stack
 * Sanitizers  the address sanitizer is told of each step and of the bounds, the thread sanitizer
 *             has a fiber a stack, the leak sanitizer looks through all of them
 * Cost        a step: that of arch/switch.h without the pointer; a new stack: two system calls and
 *             its first page
 * Tested by   tests/unit/stack.c, tests/lit/nth
 */
#ifndef NTH_SCHED_STACK_H
#define NTH_SCHED_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/mem/pool.h"

struct nth_stack {
  void *sp;    /* while nobody runs on it; w, r: its processor's thread */
  char *low;   /* its lowest byte; NULL: the processor's own */
  size_t size; /* without the guard page */
  char *map;   /* what was mapped, and how much */
  size_t mapped;
  void *fiber;    /* thread sanitizer */
  void *fake;     /* address sanitizer: the frames that are kept elsewhere */
  unsigned known; /* valgrind's number of it */
};

/* Bytes of each, 0: as many as the system gives a thread. w: before the first one, from
 * OMP_STACKSIZE */
extern uint64_t nth_stack_bytes;

/* A stack on which f(arg) starts at the first switch to it; NULL: no memory. f calls
 * nth_stack_arrived() before anything else. control: its floating-point control. pool: the
 * caller's. There are NTH_STACKS_MOST at most, and what the program may map bounds them. */
struct nth_stack *nth_stack_take(struct nth_pool *pool, void (*f)(void *), void *arg,
                                 uint64_t control);

/* Nothing on it is needed any more. */
void nth_stack_give(struct nth_pool *pool, struct nth_stack *s);

/* The thread ends: the stacks that its pool keeps go where others find them. Before
 * nth_pool_end(). */
void nth_stack_leave(struct nth_pool *pool);

/* The stack that the system gave to the calling thread. */
void nth_stack_adopt(struct nth_stack *own);

/* Leaves `from`, on which the caller runs, for `to`; returns when somebody switches to `from`. */
void nth_stack_switch(struct nth_stack *from, struct nth_stack *to);

/* What the sanitizers are told at a stack's first arrival; from: the stack that was left. */
void nth_stack_arrived(struct nth_stack *from);

#endif
