/* tsan.h - the thread sanitizer of a program that runs on a library without one
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A program that is compiled with -fsanitize=thread brings the sanitizer into the
 *             process. The sanitizer does not see this library's atomic operations, nor that a
 *             thread goes on on another stack. So it is told: of stacks by sched/nano/stack.c, of
 *             what is ordered by omp/race.
 * How         The sanitizer's functions are weak: all of them are NULL where there is no sanitizer.
 *             A library that is built with the sanitizer itself has them always, and needs no
 *             omp/race
 * Cost        nth_tsan_here(): a load and a test. Not on hot paths
 */
#ifndef NTH_WATCH_TSAN_H
#define NTH_WATCH_TSAN_H

#include <stdbool.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NTH_TSAN_INSIDE 1
#endif
#endif
#ifdef __SANITIZE_THREAD__
#define NTH_TSAN_INSIDE 1
#endif

#define NTH_TSAN_WEAK __attribute__((weak))
/* What the caller has done so far is before what another thread does after it has acquired at. */
extern void __tsan_release(void *at) NTH_TSAN_WEAK;
extern void __tsan_acquire(void *at) NTH_TSAN_WEAK;
extern void AnnotateIgnoreWritesBegin(const char *file, int line) NTH_TSAN_WEAK;
extern void AnnotateIgnoreWritesEnd(const char *file, int line) NTH_TSAN_WEAK;
extern void *__tsan_get_current_fiber(void) NTH_TSAN_WEAK;
extern void *__tsan_create_fiber(unsigned flags) NTH_TSAN_WEAK;
extern void __tsan_destroy_fiber(void *fiber) NTH_TSAN_WEAK;
extern void __tsan_switch_to_fiber(void *fiber, unsigned flags) NTH_TSAN_WEAK;

/* Whether this library has to tell a sanitizer what it does. */
static inline bool nth_tsan_here(void) {
#ifdef NTH_TSAN_INSIDE
  return false;
#else
  return __builtin_expect(__tsan_acquire != 0, 0);
#endif
}

/* What the caller writes from nth_tsan_blind() to nth_tsan_sees(), by memset() and its kin, or
 * gives to free(), is no access of the program's. */
static inline void nth_tsan_blind(void) {
  if (nth_tsan_here())
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
}
static inline void nth_tsan_sees(void) {
  if (nth_tsan_here())
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
}

/* Whether stacks need fibers. */
static inline bool nth_tsan_fibers(void) {
  return __builtin_expect(__tsan_switch_to_fiber != 0, 0);
}

#endif
