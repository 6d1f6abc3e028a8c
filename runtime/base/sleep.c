/* sleep.c - how a member sleeps until a word changes, and how it is roused
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/base/sleep.h"

#include "runtime/base/config.h"

/* Each sleep writes the second one, and reads the first. */
_Alignas(NTH_APART) _Atomic(nth_sleep_fn *) nth_sleep_hook;
_Alignas(NTH_APART) _Atomic(uint32_t) nth_sleepers;
bool nth_sleep_by_news;
_Atomic(uint32_t) nth_sleep_news;

void nth_sleep_tell_news(void) {
  nth_add_rel(&nth_sleep_news, 1); /* N */
  nth_futex_wake(&nth_sleep_news, INT_MAX);
}
