/* sleep.c - how a member sleeps for a word, and is roused
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/base/sleep.h"

_Atomic(nth_sleep_fn *) nth_sleep_hook;
_Atomic(uint32_t) nth_sleepers;
