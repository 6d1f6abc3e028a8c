/* stack.h - stacks beside an OS thread's own, and the step from one to another
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A nano-thread needs a stack of its own only beside one that is blocked. This is
 *             "direct stack reuse" of the NthLib ("Introducing Batches of Threads", section 5): a
 *             nano-thread gets no stack when it is created. It starts by a plain call on the stack
 *             of the one that has just finished, and on another stack only if that one has blocked.
 * Use         nth_stack_take(f): a stack on which f will start. nth_stack_switch(): leaves the
 *             current stack for another. nth_stack_give(): the stack is not used any longer. A
 *             processor's own stack, which the system gave it, is a struct nth_stack without memory
 * Memory      A stack is mapped with a guard page below it, so that an overflow is a SIGSEGV at its
 *             place; the object itself lies at the upper end. It is as large as a thread's stack,
 *             since the same code runs on it. That is address space: only the used part becomes
 *             memory. Free stacks are in the pools (mem/pool.h), as NTH_POOL_STACK; what finds no
 *             room there is unmapped
 * Invariants  I1  a flow of control runs on a stack, or waits on it, or the stack is in a pool
 *             I2  a flow of control that waits on a stack goes on with the thread pointer with
 *                 which it started there
 * Orders      a stack belongs to its processor alone; the pools order its users
 * Split       A program of -fsplit-stack keeps a limit in each thread, below which a function takes
 *             another piece of stack. The limit belongs to the thread's own stack. On other stacks
 *             each function would take a piece, from a list that wants the pieces back in order.
 *             So these stacks have no limit, like the threads that the runtime makes
 * Code        Compilers put trampolines on the stack, of nested functions and of Fortran's internal
 *             procedures. An object that has some says so, and the system makes threads' stacks
 *             executable. Then these stacks are, too, as far as nth_stack_look() knows
 * Valgrind    is told of each stack
 * Sanitizers  The address sanitizer is told of each step and of the bounds (watch/asan.h). The
 *             thread sanitizer has a fiber for each stack. The leak sanitizer looks through those
 *             that are in use
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
  void *sp;    /* the stack pointer while nothing runs on it; w, r: its processor's thread */
  char *low;   /* its lowest byte; NULL: the processor's own stack */
  size_t size; /* without the guard page */
  char *map;   /* the mapping, guard page included; NULL: the processor's own stack */
  size_t mapped;
  void *fiber;           /* the thread sanitizer's */
  void *fake;            /* the address sanitizer's: frames that it keeps elsewhere */
  uintptr_t split_limit; /* below it code of -fsplit-stack looks for more stack; 0: never */
  unsigned known;        /* valgrind's number of the stack */
  bool executable;       /* code may lie on it */
};

/* Bytes of each stack, from OMP_STACKSIZE; 0: as many as the system gives a thread. w: when the
 * library is loaded */
extern uint64_t nth_stack_bytes;

/* Looks whether an object that was loaded since the last look wants executable stacks. */
void nth_stack_look(void);

/* A stack on which f(arg) starts at the first switch to it; NULL: no memory, or too many stacks
 * (NTH_STACKS_MOST, and a part of the address space that the process may use). f calls
 * nth_stack_arrived() before anything else. control: its floating-point control. pool: the
 * caller's. */
struct nth_stack *nth_stack_take(struct nth_pool *pool, void (*f)(void *), void *arg,
                                 uint64_t control);

/* Nothing on s is needed any longer. pool: the caller's. */
void nth_stack_give(struct nth_pool *pool, struct nth_stack *s);

/* The calling thread ends: the stacks that its pool keeps go where others find them. Call it before
 * nth_pool_end(). */
void nth_stack_leave(struct nth_pool *pool);

/* Makes *own the stack that the system gave to the calling thread. */
void nth_stack_adopt(struct nth_stack *own);

/* Leaves `from`, on which the caller runs, for `to`; returns at the next switch to `from`. */
void nth_stack_switch(struct nth_stack *from, struct nth_stack *to);

/* Leaves `from` for good: it is given back after that. */
void nth_stack_end(struct nth_stack *from, struct nth_stack *to);

/* Tells the sanitizers of the first arrival on a stack; from: the stack that was left. */
void nth_stack_arrived(struct nth_stack *from);

#endif
