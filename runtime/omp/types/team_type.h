/* team_type.h - the struct of a team; its operations, and the invariants I1 to I4: team.h
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMP_TEAM_TYPE_H
#define NTH_OMP_TEAM_TYPE_H

#include "runtime/omp/types/member_type.h"
#include "runtime/omp/types/share_type.h"
#include "runtime/place/domains/route.h"
#include "runtime/sched/threads/holder.h"
#include "runtime/sched/wait/ready.h"
#include "runtime/struct/bell.h"

/* What a team keeps of its layout, lay.h; all the master's own. */
struct nth_laid {
  struct nth_part part;   /* the team's group */
  struct nth_span *spans; /* of routes that are long */
};

/* Regions that begin while OS threads of the team sleep. Times in ns, 0: not known. The
 * master's. */
struct nth_alone {
  uint64_t forked_at;   /* when this one's body began, 0: nobody slept */
  uint64_t body, woken; /* how long lately the master's bodies took, and whole regions for
                         * which they were woken */
  uint32_t count;       /* regions that the master ran alone since */
  bool now;             /* this one, too */
};

struct nth_team {
  /* config line: w: master, between regions (I1); r: all members */
  _Alignas(NTH_APART) uint32_t size;
  uint32_t level, active_level;
  bool crowded;                /* more members than allowed CPUs, now or a few regions ago */
  uint8_t barrier;             /* NTH_BARRIER_ of barrier.h */
  uint8_t tree_leaf;           /* members a leaf of the barrier tree */
  uint32_t leaders;            /* members that have OS threads which look for work, and give
                                * nano-threads theirs; 0: members are not carried; members.h */
  uint32_t strip;              /* of its members that one leader gives work; members.h */
  uint32_t generation;         /* of fork() */
  struct nth_slot **slot;      /* [capacity] */
  struct nth_ready_tree ready; /* the queues of its domains, struct nth_task_domain */
  struct nth_team *parent;     /* enclosing team; NULL: none */
  uint32_t master_num;         /* thread_num of the master in the enclosing team */
  struct nth_league league;    /* the master's */
  struct nth_icv icv;          /* the implicit tasks start with these */

  /* the master's own */
  _Alignas(NTH_APART) struct nth_member_state saved; /* its state outside */
  struct nth_group group;
  _Atomic(uint32_t) *pjv;    /* I2; w: master at fork, recallers by CAS; r: both */
  struct nth_laid laid;      /* where it is in the tree of domains; lay.h */
  uint32_t capacity;         /* slots */
  _Atomic(uint32_t) allowed; /* nth_allowed.cpus when the config line was made, 0: not known, or
                              * NTH_TEAM_IDLE; w: master, idle workers; crew.h I2 */
  _Atomic(uint32_t) wanted;  /* members, and whether they stay the same; crew.h; w: master; r: idle
                              * ones */
  struct nth_alone alone;    /* whether OS threads are worth waking; members.h */
  uint32_t taken;            /* threads taken from the contention group for this region */
  uint32_t crowd_left;       /* regions until a team that fits counts as not crowded */
  struct nth_member *spare;  /* objects for workers to come; the master's own */
  uint64_t refused_at;       /* when the system last refused a thread, ns; 0: never */
  struct nth_team *next;     /* the master's list of teams: the one that it uses one level further
                              * in */
  struct nth_icv icv_source; /* the encountering task's, from which icv was made */
  uint64_t seating;          /* nth_team_seating() for which the slots' seats were made */
  struct nth_team *known;    /* list of all team objects, for reports; set once */
  _Atomic(uint64_t) regions; /* of more than one member, begun and ended so far: odd while one runs;
                              * w: master; r: reports, idle workers */

  /* constructs: written by members during a region */
  _Alignas(NTH_APART) _Atomic(uint64_t) singles;   /* single constructs taken; single.h */
  _Alignas(NTH_APART) struct nth_workshare anchor; /* head of the chain of shared descriptors */
  _Alignas(NTH_APART) _Atomic(uint32_t) released;  /* barrier: last epoch that is over */
  void *copyprivate; /* w: the executing member before a barrier; r: others after it */
  _Alignas(NTH_APART) struct nth_combined combined; /* w: master before the fork; r: members */
  _Alignas(NTH_APART) _Atomic(uint32_t) arrivals;   /* crowded barrier: count */
  _Alignas(NTH_APART) _Atomic(bool) tasked; /* a task was made in this region; w: makers, master;
                                             * bell:F */
  _Atomic(bool) cancelled;   /* cancel.h; w: members, master after the join; r: all */
  _Atomic(uint32_t) recalls; /* recalls of docked slaves, ever; w: recallers; r: master; C */
  uint32_t recalls_seen;     /* those that a join has waited for; the master's own */
  _Atomic(uint64_t) cancelled_share; /* cancel.h */
  _Atomic(uint32_t) nested;        /* threads of nested regions, counted where there is a limit; w:
                                    * masters */
  _Atomic(uint32_t) master_sleeps; /* slave whose DJS slot the master sleeps on; 0: none */
  _Alignas(NTH_APART) struct nth_bell bell; /* sleepers that would start any task, but the joining
                                             * master */
  struct nth_bell choosy; /* in taskwait and the like: those that start certain tasks only, so that
                           * it says nothing about help for a task whether they are there */
  _Atomic(uint32_t) enders; /* sleepers of `bell` until no task is left; w: these; r: who finishes
                             * one; task:F */
  _Atomic(uint32_t) search; /* NTH_SEARCH_: whether one of `bell` was woken for tasks; w: makers,
                             * the searcher */
};

#endif
