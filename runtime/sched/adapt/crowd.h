/* crowd.h - how many threads of the process may run: more than the CPUs, or none but the library's
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         An idle thread may spin while no other thread of the process wants its CPU. If the
 *             process has one root, the size of its team tells whether one does. If it has several
 *             roots, only a count of all threads tells.
 *             A process ends with its last thread, when main has called pthread_exit(). A thread by
 *             which the library serves the whole process has nobody to serve then, and ends.
 * Use         The holder counts; idle threads call nth_crowded(). Threads that serve start by
 *             nth_crowd_server(), and look at each turn whether nth_crowd_is_gone(). While
 *             nth_crowd_may_go(), their sleeps have a limit
 * Ownership   all counts are changed by any thread, relaxed: they are a hint. The kernel says
 *             whether somebody is left
 * Cost        one shared line, read
 */
#ifndef NTH_SCHED_CROWD_H
#define NTH_SCHED_CROWD_H

#include <stdbool.h>

#include "runtime/base/atomic.h"

struct nth_crowd {
  _Atomic(uint32_t) roots;   /* the program's threads with a member */
  _Atomic(uint32_t) active;  /* threads that may run: roots and workers that are not nano-threads */
  _Atomic(uint32_t) servers; /* threads that serve the whole process */
};
extern struct nth_crowd nth_crowd;

/* Whether several roots have more active threads than there are CPUs: idle ones must not spin. */
bool nth_crowded(void);

/* Starts a detached thread that serves the whole process. Returns 0 or nth_os_thread()'s error. */
int nth_crowd_server(void (*run)(void));
/* Whether main may have ended: no thread of the program has a member. A thread has one from its
 * first region on. */
static inline bool nth_crowd_may_go(void) {
  return nth_unlikely(nth_load_rlx(&nth_crowd.roots) == 0);
}
/* Whether main has ended, and only servers and so many other threads of the library's are left. */
bool nth_crowd_is_left(uint32_t others);
/* The same without others. The caller, a server, then returns. */
bool nth_crowd_is_gone(void);

#endif
