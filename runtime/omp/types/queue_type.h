/* queue_type.h - the structs of ready tasks, and of the members that look for them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Use         the operations: task_list.h, task_queue.h, help.h
 */
#ifndef NTH_OMP_QUEUE_TYPE_H
#define NTH_OMP_QUEUE_TYPE_H

#include "runtime/struct/bell.h"
#include "runtime/struct/deque.h"
#include "runtime/struct/mutex.h"

struct nth_djs;
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

/* task_pack.h: where the next equal task of a construct goes. The member's own. */
struct nth_task_stage {
  void (*fn)(void *);     /* the function of the last task that came here */
  struct nth_task *task;  /* the open pack's; NULL: none is open; I1 */
  struct nth_task *maker; /* the task that makes its parts */
  uint64_t word;          /* the deque's when the pack was pushed; I1 */
  uint32_t position;      /* of the pack in the deque */
  int32_t many;           /* is added to the deque's length where that tells whether enough tasks
                           * are ready (task_run.h): while items are packs, fewer are enough */
};

/* brief.h: what a member has stolen last. The member's own. */
struct nth_pace {
  void (*fn)(void *);
  uint64_t since_ns;
  uint32_t tasks, left; /* so many were stolen; that have not ended; I2 */
};

/* task_queue.h: the ready tasks of one member. */
struct nth_task_queue {
  _Alignas(NTH_APART) struct nth_task_list list; /* tasks under a lock, for any thread */
  struct nth_task_domain *domain; /* domain of the member's leaf; NULL outside any team; config */
  uint32_t part;                  /* the member's part of that domain; config */
  _Alignas(NTH_APART) struct nth_task_stage stage; /* the member's own */
  struct nth_pace pace;                            /* the member's own */
  struct nth_deque deque; /* I1; the member's own end and the thieves'; its array is last */
};

/* help.h: the members of a team that sleep and would start tasks. One line, at which each maker of
 * a task looks, and which changes only when a member begins or ends a sleep. */
struct nth_team_help {
  _Alignas(NTH_APART) struct nth_bell bell; /* sleepers that would start any task, except the
                                             * joining master */
  struct nth_bell choosy; /* sleepers in taskwait and the like, which start certain tasks only.
                           * They do not count when help with a task is wanted */
  _Atomic(struct nth_djs *) master_sleeps; /* the slave's DJS slot on which the joining master
                                            * sleeps; NULL: none; w: master; r: makers; team.h S */
  _Atomic(uint32_t) enders; /* sleepers of `bell` that wait until no task is left; w: these; r:
                             * the member that finishes a task; task:F */
  _Atomic(uint32_t) search; /* NTH_SEARCH_: whether a sleeper of `bell` was woken for tasks; w:
                             * makers, the searcher; help.h H */
};

/* help.h: one member's search for tasks. The member's own. */
struct nth_slot_help {
  int32_t naps;     /* naps of a search since its last task */
  uint32_t ask;     /* the slave that it asked last for help with tasks */
  uint8_t searches; /* NTH_SEARCHES, NTH_SEARCHED, NTH_IDLE of help.h */
};

#endif
