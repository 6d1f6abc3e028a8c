/* suspend_api.c - suspends the current task until any thread says that it may go on
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Not part of a specification. The public header says what each function does.
 */
#include <assert.h>

#include "abi/export.h"
#include "abi/include/nanogomp/suspend.h"

#include "runtime/omp/sync/suspend.h"

static_assert(sizeof(struct nth_suspended) <= sizeof(struct nth_suspension) &&
                  _Alignof(struct nth_suspended) <= _Alignof(struct nth_suspension),
              "the caller's memory has room for it");

static inline struct nth_suspended *inside(struct nth_suspension *s) {
  return (struct nth_suspended *)(void *)s;
}

NTH_EXPORT int nth_suspend_here(void) { return nth_suspended_here(); }

NTH_EXPORT int nth_suspend_begin(struct nth_suspension *s) {
  return nth_suspended_begin(inside(s));
}

NTH_EXPORT void nth_suspend_wait(struct nth_suspension *s) { nth_suspended_wait(inside(s)); }

NTH_EXPORT void nth_suspend_over(struct nth_suspension *s) { nth_suspended_over(inside(s)); }

NTH_EXPORT void nth_suspend_always(void) { nth_suspended_always(); }

NTH_EXPORT void nth_suspend_poll(uint64_t (*poll)(int sleeps)) { nth_suspended_poll(poll); }
