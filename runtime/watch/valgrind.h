/* valgrind.h - tells valgrind of the stacks between which the runtime switches
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         valgrind takes a step of the stack pointer for a frame of the same stack. If the step
 *             is long, it guesses that the program "is switching stacks?". For a registered stack
 *             it need not guess.
 * Cost        without valgrind some instructions that do nothing; without its header nothing
 */
#ifndef NTH_WATCH_VALGRIND_H
#define NTH_WATCH_VALGRIND_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__has_include)
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif
#endif

#if defined(RUNNING_ON_VALGRIND)
static inline bool nth_valgrind(void) { return RUNNING_ON_VALGRIND != 0; }
static inline unsigned nth_valgrind_stack(uintptr_t low, uintptr_t high) {
  return (unsigned)VALGRIND_STACK_REGISTER(low, high);
}
static inline void nth_valgrind_no_stack(unsigned id) { VALGRIND_STACK_DEREGISTER(id); }
#else
static inline bool nth_valgrind(void) { return false; }
static inline unsigned nth_valgrind_stack(uintptr_t low, uintptr_t high) {
  return (void)low, (void)high, 0;
}
static inline void nth_valgrind_no_stack(unsigned id) { (void)id; }
#endif

#endif
