/* group.h - a root's workers, and which of its teams has which
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The fork/join paper's groups: an outer team splits the workers among its members, so
 *             that a flat and a nested region with the same members find the same data in the same
 *             caches. A root and its nested teams share workers: those that the root's region has
 *             no place for serve inner teams, and serve the root again when it wants them.
 * How         Inner member k of the outer member with number g gets worker g * members + k, which
 *             has that part of the data in a flat region. If that one is an outer member itself it
 *             is the one in whose place that member would be; if there is none yet, another one
 *             that is free, or a new one. Where the members of all teams of a shape are equally
 *             many, this gives each exactly one, however deep. A team keeps what it has until the
 *             root's region has another size; so regions of one shape find everything in place and
 *             write nothing.
 * Use         nth_group_take(), then nth_group_grow() (holder.h) for what is missing, both before a
 *             region
 * Invariants  I1  a root's group->proc[i], 1 <= i < size, is set once and stays until release
 *             I2  a worker works for proc->group alone, but for the root's group: below its members
 *                 it works for that one only
 *             I3  a worker is taken from a group only while the master of that group runs nothing,
 *                 or by the root between its regions; that master hears of it before its next
 *                 region (lost)
 * Orders      the holder's lock; a worker's arrays pass from one master to the next by it, or by
 *             the root's joins and forks
 * Tested by   tests/lit/nested
 */
#ifndef NTH_SCHED_GROUP_H
#define NTH_SCHED_GROUP_H

#include "runtime/sched/threads/worker.h"
#include "runtime/struct/mutex.h"

struct nth_group {
  struct nth_worker **proc; /* [0] unused; w: master in grow */
  uint32_t size;            /* members the group can make: master + workers */
  uint32_t capacity;
  struct nth_wdarray *gwd;   /* a root's; NULL: LWD */
  struct nth_family *family; /* new workers are carried by it; NULL: they are OS threads. w:
                              * master */
  /* w: master while it has no worker; r: other masters, in the holder's lock */
  _Atomic(struct nth_group *) home; /* the root's; its own address: it is that one. r: its workers,
                                     * too, as a hint */
  const struct nth_worker *master;
  /* w: master before it takes workers */
  uint32_t team;         /* members of the team that it is for */
  uint64_t number, span; /* its master's in a flat region of so many members */
  bool apart;            /* it is its own home, also if its master has another one */
  /* a root's */
  uint32_t members, split; /* of its last region; of that for which others have workers */
  uint32_t outer;          /* of the last one in which others took some; 0: none */
  struct nth_worker **all; /* by number, NULL where there is none yet; holder's lock, as the
                            * two */
  uint32_t all_size, all_capacity;
};

/* The group gets workers for `want` members as far as there are such; returns how many are still to
 * be made. */
uint32_t nth_group_take(struct nth_group *g, uint32_t want);

/* The root's next region has n members: unless the last one had, all its workers belong to it
 * again. */
void nth_group_call_back(struct nth_group *home, uint32_t n);

/* Members from `keep` on are for others: their workers belong to the root's group again. */
void nth_group_give_back(struct nth_group *g, uint32_t keep);

/* How many of `want` members have a thread, without a gap. */
uint32_t nth_group_present(const struct nth_group *g, uint32_t want);

/* --- in the holder's lock --- */

extern struct nth_mutex nth_holder_lock;

/* Room for `want` pointers, of which `size` are in use; what is new is NULL. */
bool nth_group_reserve(struct nth_worker ***array, uint32_t *capacity, uint32_t size,
                       uint32_t want);

/* The number for a new worker that is to be member i of g. */
uint32_t nth_group_number_of_new(const struct nth_group *g, uint32_t i);

/* p works for g from now on. */
void nth_group_have(struct nth_group *g, struct nth_worker *p);

#endif
