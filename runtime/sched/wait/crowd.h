/* crowd.h - how many threads of the process may run, and whether that is more than the CPUs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         An idle thread may spin while no other thread of the process wants its CPU. If the
 *             process has one root, the size of its team tells whether one does. If it has several
 *             roots, only a count of all threads tells.
 * Use         The holder counts; idle threads call nth_crowded().
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
