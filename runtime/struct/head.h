/* head.h - the fields with which every descriptor of the runtime begins
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         From "A Library Implementation of the Nano-Threads Programming Model" (Euro-Par
 *             1996), section 3: everything that is scheduled has one structure, with a function, a
 *             counter of unresolved dependences and the successors. Here these are explicit tasks
 *             and task batches (task.h), nano-threads (nth/desc.h) and carried members
 *             (identity.h). The fields that only one kind needs, its arguments first, follow the
 *             head.
 * Node        The part of a head that dependences lead to: the dependence counter, and the kind,
 *             which tells what to do when the counter is zero. So a descriptor of any kind can wait
 *             for one of any other kind. Something that waits and is not scheduled is a node only:
 *             a detached task's event, a wait with dependences
 * Use         struct x { NTH_HEAD(struct x, void (*fn)(void *), struct home *home); ... }: the
 *             fields of the head are fields of x, and others depend on &x->node
 * Ownership   one thread has a descriptor at a time. All fields but `deps` are plain and go with it
 */
#ifndef NTH_STRUCT_HEAD_H
#define NTH_STRUCT_HEAD_H

#include <assert.h>
#include <stddef.h>

#include "runtime/struct/deps.h"

/* What a node is part of; what happens when it waits for nothing more; who does that. */
enum nth_kind {
  NTH_KIND_THREAD, /* a nano-thread: queued, resumed or woken; nth/processor.c */
  NTH_KIND_TASK,   /* an explicit task or a task batch: queued; nth_task_ready() */
  NTH_KIND_PLACE,  /* the stand-in of a nano-thread: its function runs at once; nth/across.h */
  NTH_KIND_EVENT,  /* a detached task's event: the task is finished; omp/tasks/task_finish.h */
  NTH_KIND_WAIT,   /* a wait for dependences: its member is woken; omp/tasks/depend.c */
  NTH_KIND_MEMBER, /* a carried member, which waits for a word; sched/nano/carry.h */
};

#define NTH_NODE                                                                                   \
  struct nth_deps deps;                                                                            \
  uint8_t kind /* NTH_KIND_ */

struct nth_node {
  NTH_NODE;
};

/* what: the descriptor's type. function: the declaration of its function's field. owner: the
 * declaration of the field that says where it belongs.
 * next          the next one in its queue, batch or list
 * nsucc, narg   successors and arguments of a nano-thread; other kinds have lists of their own
 * class         of its memory (mem/pool.h)
 * pack          of a nano-thread: members of its pack (nth/lrq.h) */
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
