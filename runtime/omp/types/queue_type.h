/* queue_type.h - the structs of a member's ready tasks; operations: task_list.h, task_queue.h
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMP_QUEUE_TYPE_H
#define NTH_OMP_QUEUE_TYPE_H

#include "runtime/struct/deque.h"
#include "runtime/struct/mutex.h"

struct nth_task;
struct nth_task_domain;

/* task_list.h: ready tasks under a lock. */
struct nth_task_list {
  struct nth_mutex lock;
  _Atomic(uint32_t) length;         /* I1; w: under the lock; r: all */
  _Atomic(uint32_t) top;            /* I1; w: under the lock; r: all */
  struct nth_task *oldest, *newest; /* tasks without priority; under the lock */
  struct nth_task *urgent;          /* tasks with a priority; I2; under the lock */
};

/* task_queue.h: the ready tasks of one member. */
struct nth_task_queue {
  struct nth_deque deque;         /* I1; the member's own end and the thieves' */
  struct nth_task_list list;      /* tasks under a lock, for any thread */
  struct nth_task_domain *domain; /* domain of the member's leaf; NULL outside any team; config */
  uint32_t part;                  /* the member's part of that domain; config */
};

#endif
