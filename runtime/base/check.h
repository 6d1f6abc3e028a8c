/* check.h - internal checks, in three levels
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NTH_CHECK 0, release: none; 1: cheap asserts; 2: also whole-structure _valid() invariants. A
 * failed check is a bug of the runtime, never an answer to input.
 */
#ifndef NTH_BASE_CHECK_H
#define NTH_BASE_CHECK_H

#ifndef NTH_CHECK
#define NTH_CHECK 0
#endif

#if NTH_CHECK
/* Prints the condition and its place, then aborts. */
_Noreturn void nth_check_failed(const char *text, const char *file, int line);
#define nth_assert(c) ((c) ? (void)0 : nth_check_failed(#c, __FILE__, __LINE__))
#else
#define nth_assert(c) ((void)sizeof((c) ? 1 : 0))
#endif

#if NTH_CHECK > 1
#define nth_assert_valid(c) nth_assert(c)
#else
#define nth_assert_valid(c) ((void)sizeof((c) ? 1 : 0))
#endif

#endif
