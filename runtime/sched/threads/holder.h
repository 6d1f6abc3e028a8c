/* holder.h - keeps workers alive between regions; groups of workers
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Making and ending threads for each change of team size costs 40-400 us and loses what
 *             a program keeps in threadprivate. A group keeps its workers from its first region to
 *             its master's end, so member i of a master stays the same OS thread. With the master
 *             its workers end: a new master's members are new threads to the program, with initial
 *             threadprivate and thread_local values, as under libgomp.
 * Use         nth_group_grow() before a region that needs more members than the group has;
 *             nth_group_release() when the root ends.
 *             A worker that has been idle for long may lose its OS thread and stays in its group
 *             all the same; it gets another one when it has work again (worker.h I3). Which ones
 *             may is the layer above's to say (omp/team/crew.h).
 * Invariants  I1  a worker is in one group, or ending, or ended; a root's object and a stand-in are
 *                 in none
 * Orders      the end descriptor reaches the worker under wdarray:A and worker:F
 * Locking     one futex lock, taken on slow paths only, never while waiting for anything else
 */
#ifndef NTH_SCHED_HOLDER_H
#define NTH_SCHED_HOLDER_H

#include "runtime/place/places/assign.h"
#include "runtime/place/places/places.h"
#include "runtime/sched/threads/group.h"

/* How the holder makes workers; set once before the first group grows, the first two when the
 * library is loaded. */
struct nth_holder_config {
  bool carries;       /* members may be nano-threads from the beginning; */
  bool may_carry;     /* or later on */
  uint64_t stacksize; /* bytes, 0: default */
  bool gwd;
  void (*run)(struct nth_worker *, const struct nth_wd *);
  /* The OS thread is about to end, but the program's destructors are still to run in it. True: the
   * layer above calls nth_holder_recycle after them. */
  bool (*leave)(struct nth_worker *);
  /* Whether the thread of p, idle for long, may end though p stays in its group; asked again and
   * again, `looks` times before. By p's thread. */
  bool (*idle)(struct nth_worker *p, uint32_t looks);
  /* The identity of from becomes that of to: the thread leaves one for the other. */
  void (*move)(struct nth_worker *from, struct nth_worker *to);
  /* p, without a thread, gets a new identity; and loses it when there is no thread for it after
   * all. */
  void (*renew)(struct nth_worker *p);
  void (*relinquish)(struct nth_worker *p);
  /* Another group has taken workers of g, whose master is not at work. In the holder's lock. */
  void (*lost)(struct nth_group *g);
};
extern struct nth_holder_config nth_holder_config;

/* The places that a team's members are bound to. */
struct nth_seating {
  const struct nth_places *places;
  struct nth_assignment assignment;
};

/* Makes the group serve `want` members, the master included, each with a thread; returns how many
 * it can. Fewer than wanted only when the system refuses threads or memory: then *error is the
 * errno value. New workers start on their places; seating NULL: they are not bound. */
uint32_t nth_group_grow(struct nth_group *g, uint32_t want, const struct nth_seating *seating,
                        struct nth_waiter *master, int *error);

/* All workers of a root, of which no region runs, become carried by the family, if there is
 * memory. */
void nth_group_carry(struct nth_group *home, struct nth_family *family);

/* The group is not needed any more; a root's ends all its workers, and does not wait for them. No
 * region of it runs. */
void nth_group_release(struct nth_group *g);
/* In a forked child: its workers are not here. */
void nth_group_forget(struct nth_group *g);

/* A program's thread becomes a root: an object for it, which never docks. NULL without memory. */
struct nth_worker *nth_holder_adopt(void);
/* It becomes a carrier, if it is none yet; false: no memory. By itself, outside all regions. */
bool nth_holder_carry(struct nth_worker *p);
/* It stops being one. */
void nth_holder_dismiss(struct nth_worker *p);

/* The OS thread of p has had its last descriptor. */
void nth_holder_ended(struct nth_worker *p);
/* Nothing of the thread uses p any more: the object may be used again at once. */
void nth_holder_recycle(struct nth_worker *p);

/* p has been given work though it has no thread: makes one, and waits until the system allows it.
 * It is so late only when p left between a master's look and its fork. */
void nth_holder_return_surely(struct nth_worker *p);

/* An object for the thread that leaves another one, NULL without memory; and when it stays after
 * all. */
struct nth_worker *nth_holder_stand_in(void);
void nth_holder_stand_in_unused(struct nth_worker *p);

/* In a forked child: forget all other threads, they are not here. roots: 1 if the thread is one;
 * held: 1 if a worker's, which ends like any other one. */
void nth_holder_forked(uint32_t roots, uint32_t held);

/* Figures for reports: OS threads held now, and made in all. */
void nth_holder_count(uint32_t *held, uint32_t *made);

#endif
