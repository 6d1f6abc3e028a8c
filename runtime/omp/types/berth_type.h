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

struct nth_berth {
  NTH_POOL_NOT_OURS;
  struct nth_stack *stack;
  struct nth_berth *next;  /* in a list */
  struct nth_berth *below; /* from whose stack the member came, NULL: its own */
  struct nth_member *member;
  struct nth_task *task; /* what was started here */
  bool over;             /* its function has returned, */
  bool waited;           /* and a task on the stack had to wait */
  uint32_t generation;   /* of fork(), when it started: a child is not suspended */
  /* while it is suspended */
  struct nth_slot *slot;     /* where it waits */
  struct nth_task *current;  /* the innermost task on the stack */
  const struct nth_icv *icv; /* its ICVs */
  struct nth_mutex *lock;    /* for what, in a list of lock.c */
  struct nth_luggage luggage;
};

#endif
