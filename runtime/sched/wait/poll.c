/* poll.c - a function outside the runtime that waits call, to learn whether something is over
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/wait/poll.h"

_Atomic(nth_poll_fn *) nth_poll_hook;

void nth_poll_set(nth_poll_fn *hook) { nth_store_rel(&nth_poll_hook, hook); /* P */ }
