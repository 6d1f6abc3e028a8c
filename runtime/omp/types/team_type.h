/* team_type.h - the struct of a team; its operations, and the invariants I1 to I4: team.h
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMP_TEAM_TYPE_H
#define NTH_OMP_TEAM_TYPE_H

#include "runtime/omp/types/barrier_type.h"
#include "runtime/omp/types/leaders_type.h"
#include "runtime/omp/types/member_type.h"
#include "runtime/omp/types/share_type.h"
#include "runtime/place/domains/route.h"
#include "runtime/sched/threads/holder.h"
#include "runtime/sched/wait/ready.h"

/* Whom a team has, and may have, as its slaves; crew.h. */
struct nth_team_crew {
  _Atomic(uint32_t) *pjv;    /* [capacity]: descriptors given to each slave; team.h I2; w: master at
                              * fork, recallers by CAS; r: both */
  _Atomic(uint32_t) allowed; /* nth_allowed.cpus when the config line was made; 0: the next region
                              * is prepared; NTH_TEAM_IDLE; w: master, idle workers; crew.h I2 */
  _Atomic(uint32_t) wanted;  /* members of the last region of more than one, and what crew.h says
                              * of them; w: master; r: idle workers, held threads */
  struct nth_member *spare;  /* member objects for workers to come; this field and the next ones:
                              * the master's own */
  uint64_t refused_at;       /* when the system last refused a thread, ns; 0: never */
  uint32_t capacity;         /* slots that the team has */
  int32_t locks;             /* nth_locks outside the region, 0: none; task_run.h, Locks */
  uint32_t due;              /* what the region owes at its join; member_type.h */
  uint32_t crowd_left;       /* regions until a team that fits the CPUs counts as not crowded */
  uint64_t priced;           /* with NTH_DUE_PRICE: the region's ticket; region_price.h */
};

/* What slaves see of a team's joins; team.h L. */
struct nth_team_join {
  _Atomic(uint32_t) closed; /* joins of regions with tasks, and changes of the config line; w:
                             * master; r: slaves that have come back, together with `tasked` */
};

/* What was cancelled in a region; cancel.h. */
struct nth_team_cancel {
  _Atomic(bool) region;    /* the region itself; w: members, master after the join; r: all */
  _Atomic(uint64_t) share; /* mark of the construct */
};

/* The part of its layout that a team keeps; lay.h. The master's own. */
struct nth_laid {
  struct nth_stretch stretch; /* the team's group */
  struct nth_span *spans;     /* spans of the routes that are too long for the slot */
};

/* The other one of two team objects, of which one has the regions of one member and the other the
 * larger ones; team_make.h I5, I6. The master's own; it changes when they become twins only. */
struct nth_twin {
  struct nth_team *other; /* NULL: none */
  bool is_for_one;        /* this team has the regions of one member */
};

/* The team whose members have all shown their affinity last; OMP_DISPLAY_AFFINITY. */
struct nth_team_displayed {
  uint64_t seating;          /* nth_team.seating */
  uint32_t size, master_num; /* size 0: none has */
  bool now;                  /* all members show it in this region, once each; r: members */
};

/* What a master counts of its regions, for reports (omp/process/counters.h). Each only grows. Of
 * regions of more than one member nth_team.regions has the number. */
struct nth_team_counts {
  _Atomic(uint64_t) ones;        /* regions of one member; these: w: master; r: reports */
  _Atomic(uint64_t) gwd, nested; /* of more: by a global descriptor; inside another region; */
  _Atomic(uint64_t) led;         /* with members that are nano-threads, in groups */
  _Atomic(uint64_t) tasks;       /* tasks that were made in regions that have ended */
};

struct nth_tool_region;

/* Each family of operations has a struct for its fields. Where its fields lie on several lines, the
 * struct aligns them, or each line has a struct. */
struct nth_team {
  /* config line: w: master, between regions (I1); r: all members */
  _Alignas(NTH_APART) uint32_t size;
  uint32_t level, active_level;
  bool crowded; /* more members than allowed CPUs, now or a few regions ago */
  struct nth_barrier_shape barrier_shape;
  struct nth_leaders leaders;
  uint32_t generation;         /* generation of fork() */
  struct nth_slot **slot;      /* [capacity], of which `size` are in use */
  struct nth_ready_tree ready; /* the ready queues of its domains, each a struct nth_task_domain */
  struct nth_team *parent;     /* enclosing team; NULL: none */
  uint32_t master_num;         /* thread_num of the master in the enclosing team */
  struct nth_league league;    /* the master's; of a team without a parent only */
  struct nth_icv icv;          /* the implicit tasks start with these */
  _Atomic(struct nth_tool_region *)
      told; /* what a tool knows the region by, of one that is told; w: master, at a fork, if it is
             * another one than last time; r: members */

  /* the master's own, but for `regions` and what `crew` says of its fields */
  _Alignas(NTH_APART) struct nth_member_state saved; /* the master's state outside the region */
  struct nth_group group;
  struct nth_team_crew crew;
  struct nth_laid laid;      /* its layout in the tree of domains; lay.h */
  struct nth_alone alone;    /* whether it pays to wake OS threads; members.h */
  struct nth_team *next;     /* the next team in the master's list, which it uses one level
                              * further in */
  struct nth_team *known;    /* next in the list of all team objects, for reports; set once */
  struct nth_icv icv_source; /* ICVs of the encountering task from which icv was made */
  uint64_t seating;          /* nth_team_seating() for which the slots' seats were made */
  struct nth_team_counts counts;
  _Atomic(uint64_t) regions; /* regions of more than one member, begun + ended: odd while one
                              * runs; w: master; r: reports, idle workers, held threads */

  /* state of constructs: written by members during a region */
  struct nth_team_shares shares;
  struct nth_team_barrier barrier;
  _Alignas(NTH_APART) _Atomic(bool) tasked; /* a task was made in this region; w: makers, master;
                                             * r: members; team.h L */
  struct nth_team_cancel cancel;
  struct nth_team_join join;
  _Atomic(uint32_t) nested; /* threads of nested regions; counted only if there is a limit; w:
                             * masters */
  struct nth_twin twin;
  struct nth_team_displayed displayed; /* w: the master, before a fork */
  struct nth_team_help help;           /* on a line of its own */
};

static_assert(offsetof(struct nth_team, shares) - offsetof(struct nth_team, saved) <= 3 * NTH_APART,
              "another line in each region: 10 % of a region of 8 members");

/* The one of t and its twin that has workers. */
static inline struct nth_team *nth_team_with_workers(struct nth_team *t) {
  return t->twin.is_for_one ? t->twin.other : t;
}

/* Each team of a master's list is made ready from scratch for its next region. */
static inline void nth_teams_outdate(struct nth_team *first) {
  for (struct nth_team *t = first; t; t = t->next) {
    t->size = 0;
    if (t->twin.other)
      t->twin.other->size = 0;
  }
}

/* Whether m stands in t as one of its members: its number, slot and level fit. */
static inline bool nth_team_has(const struct nth_team *t, const struct nth_member *m) {
  return t && m->now.team == t && m->now.team_size == t->size && m->now.thread_num < t->size &&
         t->slot[m->now.thread_num] == m->now.slot && m->now.level == t->level;
}

#endif
