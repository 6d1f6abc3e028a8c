/* worker_list.h - all objects of workers: free ones, and a walk over the others
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Objects of workers are never freed but used again: a late waker may still read the
 *             dock of one (worker.h I5). At the end of the process somebody has to find the workers
 *             of all masters.
 * Use         nth_worker_new(), nth_worker_recycle(); nth_workers_summon() and nth_workers_await()
 * Locking     the holder's lock
 */
#ifndef NTH_SCHED_WORKER_LIST_H
#define NTH_SCHED_WORKER_LIST_H

#include "runtime/sched/threads/worker.h"

/* A worker object from the heap, zeroed, or one that has ended; NULL: no memory. In the holder's
 * lock. */
struct nth_worker *nth_worker_new(void);
/* p has ended: it may be used again. In the holder's lock. */
void nth_worker_recycle(struct nth_worker *p);
/* In the child of a fork, in the holder's lock: other threads' workers are not there, nor is the
 * memory of their objects used again. */
void nth_worker_list_forked(void);

/* A summons to all docked workers (wait/summons.h). */
void nth_workers_summon(void);
/* Wakes the docked workers that have not answered. True: a worker is still to answer, of those in
 * groups of which `rests` says that no region runs; or one is still to end that was told to. */
bool nth_workers_await(bool (*rests)(const struct nth_group *g));

#endif
