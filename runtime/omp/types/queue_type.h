/* queue_type.h - the ready tasks of a member: the structs of task_list.h and task_queue.h
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
  _Atomic(uint32_t) top;            /* the same */
  struct nth_task *oldest, *newest; /* without priority; under the lock */
  struct nth_task *urgent;          /* with; I2; under the lock */
};

/* task_queue.h: a member's. */
struct nth_task_queue {
  struct nth_deque deque;         /* I1 */
  struct nth_task_list list;      /* any thread's */
  struct nth_task_domain *domain; /* of the member's leaf, NULL outside any team; config */
  uint32_t part;                  /* of domains, the member's; config */
};

#endif
