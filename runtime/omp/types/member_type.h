/* member_type.h - the struct of a member, and the state that a region saves; operations: member.h
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMP_MEMBER_TYPE_H
#define NTH_OMP_MEMBER_TYPE_H

#include "runtime/mem/pool.h"
#include "runtime/omp/types/slot.h"
#include "runtime/sched/nano/stack.h"

struct nth_berth;
struct nth_chain;
struct nth_role;
struct nth_roll;
struct nth_identity;
struct nth_worker;
struct nth_task;
struct nth_team;
struct nth_told_role;
struct nth_tool_member;

/* The part of a member that a fork saves and the join restores. */
struct nth_member_state {
  struct nth_team *team;
  struct nth_slot *slot;
  struct nth_task *task;     /* the current task: implicit, explicit or initial */
  const struct nth_icv *icv; /* of the current task */
  uint32_t thread_num, team_size, level, active_level;
  uint64_t seat; /* place and place-partition-var, 0: not bound; place/places/assign.h */
};

/* Which team of a teams construct's league. Outside: 0 of 1. */
struct nth_league {
  uint32_t num, teams;
};

/* The yields of tied tasks, one after the other; task_wait.c. */
struct nth_yields {
  const struct nth_task *task; /* the last one that has yielded */
  uint32_t made;               /* what it had counted of its children then */
  uint32_t row;                /* how often it has yielded, with nothing else in between; a yield
                                * soon after the one before counts more */
  uint64_t until;              /* when its last yield ended, ns */
  bool inside; /* what runs now lies above a tied task's yield, which is to return soon */
};

/* In nth_member.due, what a region gives back at its join (team/team_size.h), beside the number of
 * threads that it took from its contention group: its time is to be learned. */
#define NTH_DUE_PRICE (1u << 31)

struct nth_member {
  struct nth_identity *identity; /* first, see self.h; NULL: the member is an OS thread and no
                                  * carrier runs it */
  struct nth_member_state now;
  struct nth_league league;   /* of a root or role; in a region the team's league counts */
  struct nth_team *next_team; /* the team that this member forks next; one for each nesting depth */
  struct nth_team *teams;     /* all its teams, outermost first */
  struct nth_team *lent;      /* the team whose slaves are or were processors of nth.h; NULL:
                               * none */
  bool lends;                 /* whether the slaves of `lent` are processors now */
  uint32_t due;               /* of the region that it is about to fork; above */
  struct nth_worker *proc;    /* the worker whose OS thread it runs on */
  struct nth_role *role;      /* innermost target or teams region that it runs; role.h; NULL:
                               * none */
  struct nth_chain *chain;    /* while it finishes a task: the tasks to run next; task_finish.h */
  uint32_t left, left_before; /* tasks that it has left for later: now; before this call began;
                               * task_run.h */
  bool anything;              /* it finishes a task at a point where any task may start;
                               * task_run.c */
  uint32_t closed;            /* the team's join.closed when it last began as a slave; team.h L */
  uint32_t finished;          /* the count with which it last arrived as a slave; djs.h */
  uint32_t number;            /* its number in this process, from 1 on */
  bool is_root;               /* it is a program's thread, not a worker */
  bool outside;               /* tasks that it has made outside regions may be left; its own */
  struct nth_member *next;    /* the next one in a team's list of spare objects */
  bool acc_silent;            /* OpenACC: this thread's events are off; acc/prof.h */
  bool acc_starting;          /* OpenACC: it runs the events of the device's initialization */
  uint32_t acc_epoch;         /* OpenACC: when it was attached to the device; acc/device.h */
  struct nth_berth *berth;    /* the berth on which it runs; NULL: its own stack; task_berth.h */
  bool own_known;             /* own_stack is filled in */
  uint8_t near;               /* how often it has taken its objects to its node; its own */
  uint8_t crowded;            /* a root's regions larger than the machine while it was young;
                               * nano/members.c; its own */
  struct nth_stack own_stack;
  uint64_t regions_before;      /* of the teams in `teams`, before it took them; begun + ended */
  uint64_t habit[NTH_HABITS];   /* how earlier runs of its untied tasks went, by function;
                                 * task_berth.h */
  struct nth_yields yields;     /* its own */
  uint64_t priced;              /* with NTH_DUE_PRICE: the region's ticket; region_price.h */
  struct nth_tool_member *tool; /* what a tool knows of it; NULL: nothing; tool/tool.h */
  struct nth_roll *line;        /* its line in the list of all members; NULL: none; roll.h */
  struct nth_slot solo;         /* its slot outside any team */
  struct nth_pool pool;         /* its descriptors of tasks; mem/pool.h */
};

/* role.h */
struct nth_role {
  struct nth_role *outer;
  struct nth_member_state saved;
  struct nth_league league;   /* saved like the state */
  struct nth_told_role *told; /* with a tool: what it is told of the role; NULL: nothing */
  struct nth_icv icv;         /* what its initial tasks start with */
  struct nth_slot slot;
};

#endif
