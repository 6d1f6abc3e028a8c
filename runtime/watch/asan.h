/* asan.h - the address sanitizer of a program that runs on a library without one
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A program that is compiled with -fsanitize=address brings the sanitizer into the
 *             process. At a throw the sanitizer clears what it knows of the thread's stack. If it
 *             does not know that the thread is on another stack, it clears nothing there, and later
 *             reports errors where there are none. So sched/nano/stack.c tells it of stacks.
 * How         The sanitizer's functions are weak: all of them are NULL where there is no sanitizer.
 *             The leak sanitizer alone has those of roots only.
 * Cost        without a sanitizer: a load and a test for each
 */
#ifndef NTH_WATCH_ASAN_H
#define NTH_WATCH_ASAN_H

#include <stdbool.h>
#include <stddef.h>

#define NTH_ASAN_WEAK __attribute__((weak))
/* fake: where to keep the frames that the sanitizer has elsewhere; NULL: the stack is left for
 * good. The start is before the step, on the old stack, and the finish after it, on the new one. */
extern void __sanitizer_start_switch_fiber(void **fake, const void *low, size_t size) NTH_ASAN_WEAK;
extern void __sanitizer_finish_switch_fiber(void *fake, const void **low,
                                            size_t *size) NTH_ASAN_WEAK;
extern void __asan_unpoison_memory_region(void const volatile *low, size_t size) NTH_ASAN_WEAK;
extern void __lsan_register_root_region(const void *low, size_t size) NTH_ASAN_WEAK;
extern void __lsan_unregister_root_region(const void *low, size_t size) NTH_ASAN_WEAK;

/* Whether a sanitizer wants to hear of steps from stack to stack. */
static inline bool nth_asan_stacks(void) {
  return __builtin_expect(__sanitizer_start_switch_fiber != 0, 0);
}

/* Frames that have not returned have left marks on the stack. */
static inline void nth_asan_clear(void *low, size_t size) {
  if (__builtin_expect(__asan_unpoison_memory_region != 0, 0))
    __asan_unpoison_memory_region(low, size);
}

/* What pointers there lead to is no leak. */
static inline void nth_lsan_root(const void *low, size_t size) {
  if (__builtin_expect(__lsan_register_root_region != 0, 0))
    __lsan_register_root_region(low, size);
}
static inline void nth_lsan_no_root(const void *low, size_t size) {
  if (__builtin_expect(__lsan_unregister_root_region != 0, 0))
    __lsan_unregister_root_region(low, size);
}

#endif
