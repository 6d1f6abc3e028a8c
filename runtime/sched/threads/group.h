/* group.h - the workers of a root, and which of its teams has which of them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         These are the fork/join paper's groups. An outer team splits the workers among its
 *             members, so that a flat and a nested region with equally many members find the same
 *             data in the same caches. A root and its nested teams share workers: those that the
 *             root's region leaves out serve inner teams. They serve the root again when it wants
 *             them.
 * How         Inner member k of the outer member with number g gets worker g * members + k, which
 *             has that part of the data in a flat region. If that worker is an outer member itself,
 *             the inner member gets the worker in whose place it would be. If there is none yet, it
 *             gets another free worker, or a new one. Where the teams of a shape have equally many
 *             members, this uses each worker exactly once, however deep the teams nest. A team
 *             keeps its workers until the root's region has another size. So regions of one shape
 *             find everything in place and write nothing.
 * Use         nth_group_take(), then nth_group_grow() (holder.h) for what is missing, both before a
 *             region
 * Invariants  I1  a root's group->proc[i], 1 <= i < size, is set once and stays until release
 *             I2  a worker works for proc->group alone. A worker with a number below the members of
 *                 the root's region works for the root's group only
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
  struct nth_worker **proc; /* [0] unused; w: master in take and grow */
  uint32_t size;            /* members that the group can make: master and workers */
  uint32_t capacity;
  struct nth_wdarray *gwd;   /* a root's; NULL: LWD */
  struct nth_family *family; /* carries new workers; NULL: these are OS threads. w: master */
  /* w: master while it has no worker; r: other masters, in the holder's lock */
  _Atomic(struct nth_group *) home; /* the root's group; its own address: it is that group. r: its
                                     * workers too, as a hint */
  const struct nth_worker *master;
  /* w: master before it takes workers */
  uint32_t team;         /* members of the team that it is for */
  uint64_t number, span; /* its master's number in a flat region of `span` members */
  bool apart;            /* it is its own home, also if its master has another one */
  /* a root's */
  uint32_t members, split; /* members of its last region; of the region for which other groups have
                            * workers */
  uint32_t outer;          /* members of the last region in which others took workers; 0: none */
  struct nth_worker **all; /* all workers of the root, by number; NULL: not made yet. Holder's lock,
                            * as the next two */
  uint32_t all_size, all_capacity;
};

/* Gives the group workers for `want` members, as far as free ones exist; returns how many are still
 * to be made. By its master. */
uint32_t nth_group_take(struct nth_group *g, uint32_t want);

/* The root's next region has n members: unless the last one had as many, all its workers belong to
 * it again. */
void nth_group_call_back(struct nth_group *home, uint32_t n);

/* The workers of members from `keep` on belong to the root's group again. */
void nth_group_give_back(struct nth_group *g, uint32_t keep);

/* How many of `want` members have a thread, counted up to the first that has none. */
uint32_t nth_group_present(const struct nth_group *g, uint32_t want);

/* Makes room for `want` pointers in an array of the caller's, of which `size` are in use; new ones
 * are NULL. False: no memory. */
bool nth_group_reserve(struct nth_worker ***array, uint32_t *capacity, uint32_t size,
                       uint32_t want);

/* --- in the holder's lock --- */

extern struct nth_mutex nth_holder_lock;

/* The number of a new worker that is to be member i of g. */
uint32_t nth_group_number_of_new(const struct nth_group *g, uint32_t i);

/* p works for g from now on. */
void nth_group_have(struct nth_group *g, struct nth_worker *p);

/* --- checks --- */

/* Whether the holder's lock is taken. False is certain only for a caller that holds it itself. */
static inline bool nth_holder_held(void) {
  return nth_load_rlx(&nth_holder_lock.word) != NTH_MUTEX_FREE;
}

/* Whether p is in its root's list by its number. In the holder's lock. */
static inline bool nth_group_lists(const struct nth_group *home, const struct nth_worker *p) {
  return p->rank > 0 && p->rank < home->all_size && home->all[p->rank] == p;
}

/* The arrays of g and of its root's group. In the holder's lock, while g's master is at work. */
static inline bool nth_group_valid(const struct nth_group *g) {
  const struct nth_group *home = nth_load_rlx(&g->home);
  if (!nth_holder_held() || !home || nth_load_rlx(&home->home) != home ||
      home->all_size > home->all_capacity || g->size > (g->capacity > 1 ? g->capacity : 1))
    return false;
  for (uint32_t i = 1; i < home->all_size; i++)
    if (home->all[i] && home->all[i]->rank != i)
      return false;
  for (uint32_t i = 1; i < g->size; i++) {
    const struct nth_worker *p = g->proc[i];
    if (p && nth_load_rlx(&p->group) == g &&
        !(nth_group_lists(home, p) && (g != home || p->rank == i)))
      return false;
  }
  return true;
}

#endif
