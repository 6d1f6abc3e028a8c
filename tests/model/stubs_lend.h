/* stubs_lend.h - what worker.c calls and models do not need
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_MODEL_STUBS_LEND_H
#define NTH_MODEL_STUBS_LEND_H

#include "runtime/base/os.h"
#include "runtime/mem/huge.h"
#include "runtime/sched/hold/lend.h"

_Atomic(bool) nth_lend_any, nth_os_bound;
bool nth_lend(bool (*main)(void *), void *argument, size_t stack_bytes) {
  return (void)main, (void)argument, (void)stack_bytes, false;
}
struct nth_held *nth_lend_arrive(size_t stack_bytes) { return (void)stack_bytes, NULL; }
void *nth_lend_stay(struct nth_held *h) { return (void)h, NULL; }
void nth_lend_end(struct nth_held *h) { (void)h; }
void nth_huge_stack(size_t bytes) { (void)bytes; }

#endif
