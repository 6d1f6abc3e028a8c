/* crowd.h - how many threads of the process may run, and whether that is more than the CPUs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A thread that has nothing to do may spin as long as no other thread of the process
 *             wants its CPU. With one root the team's size tells; with several nobody's does.
 * Use         the holder counts; idle threads ask nth_crowded().
 * Ownership   both counts are changed by any thread, relaxed: they are a hint
 * Cost        one shared line, read
 */
#ifndef NTH_SCHED_CROWD_H
#define NTH_SCHED_CROWD_H

#include <stdbool.h>

#include "runtime/base/atomic.h"

struct nth_crowd {
  _Atomic(uint32_t) roots;  /* the program's threads with a member */
  _Atomic(uint32_t) active; /* threads that may run: roots and workers that are not nano-threads */
};
extern struct nth_crowd nth_crowd;

/* Whether several roots have more active threads than there are CPUs: idle ones must not spin. */
bool nth_crowded(void);

#endif
