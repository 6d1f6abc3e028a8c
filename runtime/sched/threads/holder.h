/* holder.h - keeps workers alive between regions, and hands them to groups
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Making and ending threads at each change of team size costs 40 to 400 us and loses
 *             what a program keeps in threadprivate. A group keeps its workers from its first
 *             region to its master's end, so member i of a master stays the same OS thread. The
 *             workers end with the master. The members of a new master are new threads to the
 *             program, with initial threadprivate and thread_local values, as under libgomp.
 * Use         nth_group_grow() before a region that needs more members than the group has;
 *             nth_group_release() when the root ends.
 *             A worker that has been idle for long may lose its OS thread. It stays in its group
 *             and gets another thread when it has work again (worker.h I3). The layer above says
 *             which workers may (omp/team/crew.h).
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

/* How the holder makes workers. Set once, before the first group grows; the first two when the
 * library is loaded. */
struct nth_holder_config {
  bool carries;       /* members are nano-threads from the beginning; */
  bool may_carry;     /* or may become so later */
  uint64_t stacksize; /* bytes, 0: default */
  bool gwd;
  void (*run)(struct nth_worker *, const struct nth_wd *);
  /* p is docked for a while, and looks whether its last region wants it after all. True: it did,
   * and p looks again later. */
  bool (*come_back)(struct nth_worker *p);
  /* p, which calls, has run a region and waits docked: a summons has come (wait/summons.h). */
  void (*summoned)(struct nth_worker *p);
  /* The OS thread is about to end, but the program's destructors are still to run in it. True: the
   * layer above calls nth_holder_recycle() after them. */
  bool (*leave)(struct nth_worker *);
  /* Whether the thread of p, idle for long, may end while p stays in its group. Asked by p's
   * thread, which has asked `looks` times before in this idle time. */
  bool (*idle)(struct nth_worker *p, uint32_t looks);
  /* The thread leaves worker `from` for `to`: what is from->identity becomes to->identity. */
  void (*move)(struct nth_worker *from, struct nth_worker *to);
  /* p, which calls and was a plain OS thread before, is carried from now on. Its master waits for
   * that. */
  void (*carried)(struct nth_worker *p);
  /* p, without a thread, gets a new p->identity; and loses it when there is no thread for p after
   * all. */
  void (*renew)(struct nth_worker *p);
  void (*relinquish)(struct nth_worker *p);
  /* Another group has taken workers of g, whose master is not at work. In the holder's lock. */
  void (*lost)(struct nth_group *g);
};
extern struct nth_holder_config nth_holder_config;

/* The places to which a team's members are bound. */
struct nth_seating {
  const struct nth_places *places;
  struct nth_assignment assignment;
};

/* Makes the group serve `want` members, the master included, each with a thread; returns how many
 * members it can serve. They are fewer only if the system refuses threads or memory; then *error is
 * the errno value. New workers start on their places; seating NULL: they are not bound. */
uint32_t nth_group_grow(struct nth_group *g, uint32_t want, const struct nth_seating *seating,
                        struct nth_waiter *master, int *error);

/* All workers of a root become carried by the family, as far as there is memory. No region of the
 * root runs. */
void nth_group_carry(struct nth_group *home, struct nth_family *family);

/* The group is no longer needed. The call for a root's group tells all its workers to end, and does
 * not wait for them. No region of it runs. */
void nth_group_release(struct nth_group *g);
/* In a forked child: empties the group, whose workers are not in this process. */
void nth_group_forget(struct nth_group *g);

/* The calling thread, one of the program's, becomes a root: an object for it, which never docks.
 * NULL: no memory. */
struct nth_worker *nth_holder_adopt(void);
/* The calling root, p, becomes a carrier, if it is none yet; false: no memory. Outside all
 * regions. */
bool nth_holder_carry(struct nth_worker *p);
/* The calling root, p, is no longer a root; its object is free. */
void nth_holder_dismiss(struct nth_worker *p);

/* The OS thread of p, which calls, has had its last descriptor. */
void nth_holder_ended(struct nth_worker *p);
/* Nothing of the thread uses p any longer: the object may be used again at once. */
void nth_holder_recycle(struct nth_worker *p);

/* p has been given work but has no thread: makes one, and waits until the system allows that. This
 * happens only if p left between a master's look and its fork. */
void nth_holder_return_surely(struct nth_worker *p);

/* An object for a thread that leaves its worker; NULL: no memory. */
struct nth_worker *nth_holder_stand_in(void);
/* The thread stays with its worker after all: the object is free. */
void nth_holder_stand_in_unused(struct nth_worker *p);

/* In a forked child: forgets all other threads, which are not in this process. roots: 1 if the
 * calling thread is a root; held: 1 if it is a worker's, which ends as any other. */
void nth_holder_forked(uint32_t roots, uint32_t held);

/* OS threads that have been told to end, or leave their workers, and have not yet. In the holder's
 * lock. */
uint32_t nth_holder_leaving(void);

/* Figures for reports: workers' OS threads held now, and made in all. No lock: a signal handler may
 * ask. */
void nth_holder_count(uint32_t *held, uint32_t *made);

#endif
