/* member_type.h - the struct of a member, what regions save of it; operations: member.h
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
struct nth_identity;
struct nth_worker;
struct nth_task;
struct nth_team;

/* What a region saves of its encountering task and restores at its end. */
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

struct nth_member {
  struct nth_identity *identity; /* first: self.h. NULL: it is an OS thread's, members are not
                                  * carried */
  struct nth_member_state now;
  struct nth_league league;   /* of a root or role; inside a region see its team */
  struct nth_team *next_team; /* the team this member masters next: one per nesting depth */
  struct nth_team *teams;     /* all of them, outermost first */
  struct nth_team *lent;      /* the one whose slaves are nth.h's processors, or were, NULL:
                               * none; */
  bool lends;                 /* whether they are now */
  uint32_t taken;             /* threads taken for the region it is about to fork, see
                               * team_make.c */
  struct nth_worker *proc;    /* the OS thread it runs on */
  struct nth_task *initial;   /* the root's initial task */
  struct nth_role *role;      /* innermost target or teams region it runs; role.h; NULL: none */
  struct nth_pool pool;       /* descriptors of tasks; mem/pool.h */
  struct nth_chain *chain;    /* while it finishes a task that it has run: what comes next;
                               * task_finish.h */
  uint32_t left, left_before; /* tasks it has left for later, and before this call began;
                               * task_run.h */
  bool anything;              /* it finishes a task at a point where it starts any; task_run.c */
  uint32_t generation;        /* of fork() when `now` was last set up, see forked.h */
  uint32_t number;            /* its own in this process, from 1 on */
  bool is_root;               /* a program's thread, not one of the holder's */
  struct nth_member *next;    /* in a team's list of spare objects */
  bool acc_silent;            /* OpenACC: this thread's events are off, see acc/prof.h */
  bool acc_starting;          /* OpenACC: it runs the events of the device's init */
  uint32_t acc_epoch;         /* OpenACC: when it was attached to the device, see acc/device.h */
  struct nth_berth *berth;    /* on which it runs, NULL: its own stack; task_berth.h */
  bool own_known;             /* own_stack is filled in */
  struct nth_stack own_stack;
  uint64_t habit[NTH_HABITS]; /* of functions of untied tasks */
  struct nth_slot solo;       /* constructs outside any team */
};

/* role.h */
struct nth_role {
  struct nth_role *outer;
  struct nth_member_state saved;
  struct nth_league league; /* likewise saved */
  struct nth_icv icv;       /* what its initial tasks start with */
  struct nth_slot slot;
};

#endif
