/* lend.h - one set of OS threads for created threads and for teams
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A created thread that opens a region needs workers, and a process that has both kinds
 *             of threads would make and end OS threads for the one while others are idle for the
 *             other. So would a process whose root threads come and go.
 * Use         nth_lend() by a master that needs an OS thread for a worker: an idle held one runs
 *             the worker, and is idle again after the worker's end. nth_lend_arrive() by a new OS
 *             thread of a worker, nth_lend_stay() when the worker has ended: the thread becomes a
 *             held one. The room of members fills in
 *             nth_lend_hooks: a thread that has been a member serves again as no member
 * Budget      Members of open regions take CPUs from created threads as other created threads do:
 *             a searcher compares both with the CPUs (nth_held_busy()). Members that wait in
 *             tholder_join() do not count
 * When        Only once the program has created a thread, or a root that had workers has ended
 *             (nth_lend_used()). Before that a process makes and ends the OS threads of its workers
 *             as if there were no held ones
 * Polls       An OS thread whose worker has ended polls while it is idle, as a docked worker does,
 *             if a CPU is left for that: the next root's master need not wake it (NTH_HELD_POLLS)
 * Ahead       Where each OS thread ends with what it has run (NTH_TRAIT_ENDS), those in the list
 *             have run nothing. An ending worker makes the next one (nth_held_make_ahead()), and a
 *             master that found none makes more wanted
 * Which       A held thread serves a worker if it has a stack as large as the worker's or larger,
 *             and the master has the traits that held threads have (traits.h). Thread-local storage
 *             is made fresh as for a created thread. A thread serves again if that of a created
 *             thread would (fresh.h), and also
 *             - it has not carried nano-thread members: it has given up its area for the CPU's
 *               number (rseq), and the watchdog knows it by its number
 *             - the runtime has bound no thread to a place: what a held thread has must be what its
 *               next creator would give it
 *             - nothing that a thread leaves behind finds it by its number (NTH_TRAIT_ABROAD)
 *             - it is not the first thread of a forked child, which ends with it
 *             - its member is outside all regions, and lends no processors (nanogomp/nth.h)
 * Joinable    A created thread's OS thread is joined if it has to end. So a worker's becomes a held
 *             one only if it was made joinable: nth_lend_used() at its making. It detaches itself
 *             when it ends
 * Orders      held:W, as for any held thread that is woken
 * Locking     nth_lend() takes the held threads' lock in the holder's
 * Tested by   tests/model/held, tests/lit/tholder/teams.c, teams.cpp, teams_fork.c, unchanged.c,
 *             tests/lit/parallel/roots_fresh.c, tests/lit/cxx/roots_ahead.cpp
 */
#ifndef NTH_SCHED_LEND_H
#define NTH_SCHED_LEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/atomic.h"

struct nth_lend_hooks {
  /* The calling thread's member ends, though the thread goes on. False: it cannot, and nothing has
   * changed. */
  bool (*end_member)(void);
  /* How many members of open regions there are, without the masters that run created threads;
   * counted up to `most` or a little beyond. A hint, asked in the held threads' lock. */
  uint32_t (*at_work)(uint32_t most);
  /* Whether the calling thread is a member of an open region. */
  bool (*in_region)(void);
};
/* Set when the library is loaded. */
extern struct nth_lend_hooks nth_lend_hooks;

/* Bytes by which stacks of held threads exceed the default size, so that they fit workers. Set when
 * the library is loaded. */
extern size_t nth_lend_extra_stack;

extern _Atomic(bool) nth_lend_any; /* w: creators, once; r: all; a hint */
/* Whether the program has created threads that held ones can run. */
static inline bool nth_lend_used(void) { return nth_load_rlx(&nth_lend_any); }

/* A root that had workers has ended, and another one may come. */
void nth_lend_root_ended(void);

/* Whether the calling thread is a held one that runs a created thread. */
bool nth_lend_runs_me(void);

/* An idle held thread runs main(argument), unbound, with the caller as its creator; main returns
 * whether the thread may serve again. False: none fits. */
bool nth_lend(bool (*main)(void *), void *argument, size_t stack_bytes);

/* The calling OS thread, new, joinable, not bound and about to run a worker, may become a held one.
 * NULL: it cannot. */
struct nth_held;
struct nth_held *nth_lend_arrive(size_t stack_bytes);
/* The worker has ended. If it can, the thread becomes a held one, and the call returns when it
 * ends, with its result. */
void *nth_lend_stay(struct nth_held *h);
/* The thread ends, and does not become a held one. */
void nth_lend_end(struct nth_held *h);

#endif
