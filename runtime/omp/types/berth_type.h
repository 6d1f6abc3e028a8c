/* berth_type.h - the struct of a berth; what it is for: task_berth.h
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMP_BERTH_TYPE_H
#define NTH_OMP_BERTH_TYPE_H

#include "runtime/mem/pool.h"
#include "runtime/omp/types/icv.h"
#include "runtime/sched/nano/luggage.h"

struct nth_member;
struct nth_mutex;
struct nth_slot;
struct nth_stack;
struct nth_task;
struct nth_tool_task;

struct nth_berth {
  NTH_POOL_NOT_OURS;
  struct nth_stack *stack;
  struct nth_berth *next;  /* in a list */
  struct nth_berth *below; /* the berth from which the member came, NULL: its own stack */
  struct nth_member *member;
  struct nth_task *task;  /* the one that was started here */
  struct nth_task *outer; /* the one that its member left for it last */
  bool over;              /* its function has returned */
  bool waited;            /* a task on the stack had to wait */
  bool yielded;           /* a task on the stack has called taskyield */
  bool foreign;           /* it goes on in a wait for others' tasks (Constraint) */
  bool guarded;           /* suspended, and counted as that in its slot */
  uint32_t generation;    /* of fork(), at its start: a fork's child does not suspend */
  int32_t locks;          /* that its tasks have, when its member left it; task_run.h */
  int32_t beneath;        /* locks of the tasks below, when its member came */
  /* while it is suspended */
  struct nth_slot *slot;           /* the slot in which it waits */
  struct nth_task *current;        /* the innermost task on the stack */
  const struct nth_icv *icv;       /* the ICVs of that one */
  struct nth_berth *older, *newer; /* in `awaiting` */
  struct nth_mutex *lock;          /* that it waits for, in a list of lock.c */
  struct nth_luggage luggage;
  /* with a tool: its records of tasks, on both sides of the last step; NULL: none. w, r: the hook
   * nth_berth_told */
  struct nth_tool_task *told_inside, *told_outside;
  uint32_t state_inside, state_outside; /* of the member, for the tool */
  uint64_t wait_inside, wait_outside;   /* what it waits for in these states */
};

/* Suspended tasks of a member in its team; task_berth.h. */
struct nth_berth_list {
  struct nth_berth *first, *last;
};
struct nth_berths {
  _Atomic(struct nth_berth *) woken;    /* woken by other threads, the last one first; w: any; r:
                                         * member; W of berth_list.h */
  uint32_t suspended;                   /* I3 of task_berth.h; this field and the next ones: the
                                         * member's own */
  uint32_t locked;                      /* of these, the ones with locks of the program */
  uint32_t guarded;                     /* and others for which a task with a lock may wait */
  uint32_t turns;                       /* suspensions by a yield so far */
  uint32_t unmoved;                     /* turns in vain, of tasks that wait for what no other tells
                                         * them; less one for each task whose wait was over. Only
                                         * differences count: nth_berth_moves() */
  uint32_t searches;                    /* for a task while many are suspended */
  struct nth_berth *round;              /* the round ends when this one has had its turn */
  struct nth_berth_list ready, yielded; /* the first one is the next to run */
  struct nth_berth_list awaiting;       /* the tasks in closed tallies, by older and newer */
  uint32_t refused; /* tied tasks that were not begun since one was; task_berth.h, Bound */
  uint32_t looked;  /* in which region the member has looked at the process; task_berth.c */
  uint32_t awaits;  /* waits so far in which no task of `awaiting` could go on */
  uint32_t in_vain; /* waits before regions, in a row, at whose end a task still had a lock */
};

#endif
