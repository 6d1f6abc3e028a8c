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

/* The part of its layout that a team keeps; lay.h. The master's own. */
struct nth_laid {
  struct nth_part part;   /* the team's group */
  struct nth_span *spans; /* spans of the routes that are too long for the slot */
};

/* Time that regions take which begin while OS threads of the team sleep; members.c. In ns, 0: not
 * known. The master's own. */
struct nth_alone {
  uint64_t forked_at;   /* when this region's body began; 0: no OS thread slept */
  uint64_t body, woken; /* recent averages: the master's body; a whole region for which the
                         * sleepers were woken */
  uint32_t count;       /* counts regions run alone: at each NTH_ALONE_TIMES-th the sleepers are
                         * woken */
  bool now;             /* the master runs this region alone */
};

struct nth_team {
  /* config line: w: master, between regions (I1); r: all members */
  _Alignas(NTH_APART) uint32_t size;
  uint32_t level, active_level;
  bool crowded;                /* more members than allowed CPUs, now or a few regions ago */
  uint8_t barrier;             /* NTH_BARRIER_ kind; barrier.h */
  uint8_t tree_leaf;           /* members a leaf of the barrier tree */
  uint32_t leaders;            /* members that have OS threads of their own which look for work;
                                * each gives its nano-threads theirs. 0: no member is carried;
                                * members.h */
  uint32_t strip;              /* consecutive members that one leader gives work; members.h */
  uint32_t generation;         /* generation of fork() */
  struct nth_slot **slot;      /* [capacity], of which `size` are in use */
  struct nth_ready_tree ready; /* the ready queues of its domains, each a struct nth_task_domain */
  struct nth_team *parent;     /* enclosing team; NULL: none */
  uint32_t master_num;         /* thread_num of the master in the enclosing team */
  struct nth_league league;    /* the master's league */
  struct nth_icv icv;          /* the implicit tasks start with these */

  /* the master's own */
  _Alignas(NTH_APART) struct nth_member_state saved; /* the master's state outside the region */
  struct nth_group group;
  _Atomic(uint32_t) *pjv;    /* I2; w: master at fork, recallers by CAS; r: both */
  struct nth_laid laid;      /* its layout in the tree of domains; lay.h */
  uint32_t capacity;         /* slots that it has */
  _Atomic(uint32_t) allowed; /* nth_allowed.cpus when the config line was made; 0: not known; or
                              * NTH_TEAM_IDLE; w: master, idle workers; crew.h I2 */
  _Atomic(uint32_t) wanted;  /* members of the last region of more than one, and whether they
                              * stay the same threads; crew.h; w: master; r: idle workers */
  struct nth_alone alone;    /* whether it pays to wake OS threads; members.h */
  uint32_t taken;            /* threads taken from the contention group for this region */
  uint32_t crowd_left;       /* regions until a team that fits the CPUs counts as not crowded */
  struct nth_member *spare;  /* member objects for workers to come; the master's own */
  uint64_t refused_at;       /* when the system last refused a thread, ns; 0: never */
  struct nth_team *next;     /* the next team in the master's list, which it uses one level
                              * further in */
  struct nth_icv icv_source; /* ICVs of the encountering task from which icv was made */
  uint64_t seating;          /* nth_team_seating() for which the slots' seats were made */
  struct nth_team *known;    /* next in the list of all team objects, for reports; set once */
  _Atomic(uint64_t) regions; /* regions of more than one member, begun + ended: odd while one
                              * runs; w: master; r: reports, idle workers */

  /* state of constructs: written by members during a region */
  _Alignas(NTH_APART) _Atomic(uint64_t) singles;   /* single constructs taken; single.h */
  _Alignas(NTH_APART) struct nth_workshare anchor; /* head of the chain of shared descriptors */
  _Alignas(NTH_APART) _Atomic(uint32_t) released;  /* barrier: the last epoch that is over */
  void *copyprivate; /* w: the executing member before a barrier; r: others after it */
  _Alignas(NTH_APART) struct nth_combined combined; /* w: master before the fork; r: members */
  _Alignas(NTH_APART) _Atomic(uint32_t) arrivals;   /* crowded barrier: members that have arrived */
  _Alignas(NTH_APART) _Atomic(bool) tasked; /* a task was made in this region; w: makers, master;
                                             * bell:F */
  _Atomic(bool) cancelled;   /* cancel.h; w: members, master after the join; r: all */
  _Atomic(uint32_t) recalls; /* recalls of docked slaves, ever; w: recallers; r: master; C */
  uint32_t recalls_seen;     /* recalls that a join has waited for; the master's own */
  _Atomic(uint64_t) cancelled_share;        /* cancel.h */
  _Atomic(uint32_t) nested;                 /* threads of nested regions; counted only if there is a
                                             * limit; w: masters */
  _Atomic(uint32_t) master_sleeps;          /* slave on whose DJS slot the master sleeps; 0: none */
  _Alignas(NTH_APART) struct nth_bell bell; /* sleepers that would start any task, except the
                                             * joining master */
  struct nth_bell choosy;   /* sleepers in taskwait and the like, which start certain tasks only.
                             * They do not count when help with a task is wanted */
  _Atomic(uint32_t) enders; /* sleepers of `bell` that wait until no task is left; w: these; r:
                             * the member that finishes a task; task:F */
  _Atomic(uint32_t) search; /* NTH_SEARCH_: whether a sleeper of `bell` was woken for tasks; w:
                             * makers, the searcher */
};

/* Whether m stands in t as one of its members: its number, slot and level fit. */
static inline bool nth_team_has(const struct nth_team *t, const struct nth_member *m) {
  return t && m->now.team == t && m->now.team_size == t->size && m->now.thread_num < t->size &&
         t->slot[m->now.thread_num] == m->now.slot && m->now.level == t->level;
}

#endif
