/* race.h - tells the thread sanitizer what OpenMP orders
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The sanitizer of a program (watch/tsan.h) does not see how this library starts a
 *             region, nor how its barriers, tasks and locks order threads. It would report accesses
 *             that they order as races.
 * How         A tool inside the library, with callbacks as a tool outside has them (omp/tool). It
 *             starts where the sanitizer is in the process and no other tool is given. Each order
 *             of OpenMP has a token: an address that one thread releases and another one acquires.
 *               region     fork, and end; two tokens for its barriers, which take turns, since a
 *                          member may come to the next barrier before all have left the last one
 *               task       begun: its maker to it; children: they to its taskwait. Its end also
 *                          releases the taskgroup, the region's next barrier and end
 *               dependence for each address and parent: race_depend.c
 *               lock       its address: race_lock.c
 *               doacross   one for each iteration, of a table by hash: two may share one
 *             Single, copyprivate and loops order by the barrier at their end only.
 * Limits      The sanitizer compares OS threads, or members that are carried. Two tasks that one
 *             member runs one after the other are ordered to it, whether OpenMP orders them or not
 * Invariants  I1  a token is released before the library lets others pass, and acquired after it
 *                 has let the caller pass
 *             I2  records come from malloc: the sanitizer forgets tokens in memory that is freed,
 *                 so a new record never orders by an old one's token
 *             I3  a task's record lives while the task or a child of it does
 * Orders      R   refs of a task: a subtraction acquire-release each; the last one frees
 * Cost        without the sanitizer: nothing. With it: one or two calls for each order
 * Tested by   tests/race
 */
#ifndef NTH_OMP_RACE_H
#define NTH_OMP_RACE_H

#include <stddef.h>

#include "runtime/omp/tool/tool.h"
#include "runtime/watch/tsan.h"

struct nth_race_region {
  char fork, end, cancel, barrier[2];
};

struct nth_race_group {
  struct nth_race_group *outer;
  char over; /* token */
};

struct nth_race_objects; /* the addresses that children of a task depend on */
struct nth_race_access;  /* one dependence of a task */

/* The record of a task: its ompt_data_t has the address. Its own member's, but for refs. */
struct nth_race_task {
  struct nth_race_task *parent; /* NULL: an implicit task */
  struct nth_race_region *region;
  struct nth_race_group *group; /* innermost; of a new task: its maker's */
  struct nth_race_group *made_in;
  struct nth_race_objects *objects; /* of its children; w, r: it, while it makes them */
  struct nth_race_access *accesses; /* its own dependences */
  uint32_t count;                   /* of them */
  uint32_t phase;                   /* barriers that the region's implicit tasks have behind them */
  _Atomic(uint32_t) refs;           /* itself and its children; R */
  bool started;                     /* its function runs; of a taskwait: the parent waits for it */
  char begun, children;             /* tokens */
};

/* Whether this tool watches. w: its start; r: all */
extern bool nth_race_on;

/* Starts the tool if a sanitizer is there that needs it. */
void nth_race_begin(void);

static inline void nth_race_release(void *token) { __tsan_release(token); }
static inline void nth_race_acquire(void *token) { __tsan_acquire(token); }

/* --- what no event tells in time --- */

/* The task's function, or its event, is over: before anybody can know. */
void nth_race_task_over(const ompt_data_t *task);
/* The task is about to cancel; it has seen that its region is cancelled. */
void nth_race_cancels(const ompt_data_t *task);
void nth_race_cancelled(const ompt_data_t *task);
/* Posts an iteration of a doacross loop, before it can be seen; has waited for one. numbers: the
 * iteration's, n of them. Also where another tool watches: Archer does not know doacross loops. */
void nth_race_post(const void *loop, const uint64_t *numbers, uint32_t n);
void nth_race_waited(const void *loop, const uint64_t *numbers, uint32_t n);

/* In a forked child: of the locks that were held nothing is known. */
void nth_race_lock_forked(void);

/* --- inside the room --- */

/* free() of a record. */
void nth_race_free(void *record);

void nth_race_depends(ompt_data_t *task, const ompt_dependence_t *list, int count);
/* The task, which has its dependences, starts; ends; needs them no longer. */
void nth_race_depend_start(struct nth_race_task *t);
void nth_race_depend_over(struct nth_race_task *t);
/* The task is an empty one, for the sake of later ones: what it is behind, they are too. By its
 * maker. */
void nth_race_depend_empty(struct nth_race_task *t);
void nth_race_depend_free(struct nth_race_task *t);

void nth_race_lock_begin(void);

#endif
