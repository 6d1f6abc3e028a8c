/* head.h - what every descriptor of the runtime begins with, whatever it describes
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         "A Library Implementation of the Nano-Threads Programming Model" (Euro-Par 1996),
 *             section 3: one structure for all that is scheduled, with a function, a counter of
 *             unresolved dependencies and the successors. Here OpenMP's explicit tasks and batches
 *             (task.h), nth.h's nano-threads (nth/desc.h) and members that are carried (identity.h)
 *             are such. What only one of them needs, its argument or arguments first, follows its
 *             head.
 * Node        The part that dependences lead to: what it waits for, and the kind, which tells what
 *             to do when it waits for nothing more. So one of any kind can wait for one of any
 *             other. What waits and is not scheduled is a node only: a detached task's event, a
 *             wait with dependences
 * Use         struct x { NTH_HEAD(struct x, void (*fn)(void *), struct home *home); ... }: the
 *             fields of the head are x's own, and &x->node is what others depend on
 * Ownership   one thread has a descriptor at a time; all but `deps` is plain and goes with it
 */
#ifndef NTH_STRUCT_HEAD_H
#define NTH_STRUCT_HEAD_H

#include <assert.h>
#include <stddef.h>

#include "runtime/struct/deps.h"

/* What is ready when a node waits for nothing more, and who makes it so. */
enum nth_kind {
  NTH_KIND_THREAD, /* a nano-thread of nth.h's: queued, resumed or woken; nth/processor.c */
  NTH_KIND_TASK,   /* an explicit task or a batch: queued; nth_task_ready() */
  NTH_KIND_PLACE,  /* a task that stands for a nano-thread among its siblings: its function, at
                    * once; nth/across.h */
  NTH_KIND_EVENT,  /* a detached task's: that is finished; omp/tasks/task_finish.h */
  NTH_KIND_WAIT,   /* a wait for dependences: it is over; omp/tasks/depend.c */
  NTH_KIND_MEMBER, /* a member that is carried: it waits for a word; sched/nano/carry.h */
};

#define NTH_NODE                                                                                   \
  struct nth_deps deps;                                                                            \
  uint8_t kind /* NTH_KIND_ */

struct nth_node {
  NTH_NODE;
};

/* what: the descriptor itself. function: its field of that. owner: where it belongs, as a field.
 * next    in its queue, batch or list
 * nsucc   successors and arguments, of nano-threads: others have their own lists
 * class   of its memory (mem/pool.h); pack: of a nano-thread (nth/lrq.h) */
#define NTH_HEAD(what, function, owner)                                                            \
  union {                                                                                          \
    struct nth_node node;                                                                          \
    struct {                                                                                       \
      NTH_NODE;                                                                                    \
      uint8_t nsucc, narg;                                                                         \
      union {                                                                                      \
        uint8_t class, pack;                                                                       \
      };                                                                                           \
    };                                                                                             \
  };                                                                                               \
  what *next;                                                                                      \
  function;                                                                                        \
  union {                                                                                          \
    owner;                                                                                         \
    what *last; /* of the first one of a batch: the last one */                                    \
  }

struct nth_head {
  NTH_HEAD(struct nth_head, void (*fn)(void), void *home);
};
static_assert(sizeof(struct nth_node) == 8 && sizeof(struct nth_head) == 32, "half a line");

#endif
