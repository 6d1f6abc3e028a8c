/* task_type.h - the struct of a task; its operations, and the invariants I1 to I4: task.h
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMP_TASK_TYPE_H
#define NTH_OMP_TASK_TYPE_H

#include <assert.h>
#include <stddef.h>

#include "runtime/mem/pool.h"
#include "runtime/omp/types/icv.h"
#include "runtime/struct/head.h"
#include "runtime/struct/tally.h"

struct nth_berth;
struct nth_depend;
struct nth_depend_table;
struct nth_member;
struct nth_slot;
struct nth_taskgroup;
struct nth_team;

/* The first two as in GOMP_task's flags. Constructed: the program's code made its arguments and
 * will destroy them in its function, which therefore runs even when the region is cancelled.
 * Outermost: a child of an implicit task. Batch: many tasks (task_batch.h); part: the descriptor of
 * those that run, on the heap, but NTH_TASK_FRAME until it gets a deferred child. Changed: it has
 * got one, or ICVs; set for frames and parts. Left: in the list of a member, to which it lay too
 * deep to be run (task_run.h). Depends: it has a place among its siblings' dependences,
 * nth_task_depend(). Came: out of a frame, its origin. Loose: it may be suspended, with its stack;
 * stays: it is, or another one on the stack that it was started on (task_berth.h). */
enum {
  NTH_TASK_UNTIED = 1,
  NTH_TASK_FINAL = 2,
  NTH_TASK_IMPLICIT = 4,
  NTH_TASK_FRAME = 8,
  NTH_TASK_MOVED = 16,
  NTH_TASK_DETACH = 32,
  NTH_TASK_UNDEFERRED = 64,
  NTH_TASK_CONSTRUCTED = 128,
  NTH_TASK_OUTERMOST = 256,
  NTH_TASK_BATCH = 512,
  NTH_TASK_PART = 1024,
  NTH_TASK_CHANGED = 2048,
  NTH_TASK_LEFT = 4096,
  NTH_TASK_DEPENDS = 8192,
  NTH_TASK_CAME = 16384,
  NTH_TASK_LOOSE = 32768,
  NTH_TASK_STAYS = 65536
};

struct nth_task {
  _Atomic(uintptr_t) parent;      /* nth_task_parent(), + NTH_TASK_PASSES if its memory is no
                                   * pool's; set once; read by thieves, who may come too late;
                                   * task_queue.h */
  struct nth_taskgroup *group;    /* innermost taskgroup the task itself has open, or was made in */
  struct nth_taskgroup *made_in;  /* the taskgroup it counts in, NULL: none */
  struct nth_tally children;      /* unfinished ones; A */
  struct nth_depend_table *table; /* what its children depend on; its own thread's; NULL: nothing */
  _Atomic(uint32_t) refs;         /* I3 */
  uint32_t flags;                 /* NTH_TASK_ */
  uint32_t priority;
  uint32_t base;             /* its runner's deque when it began: what descends from it is above.
                              * Left: its number among those that the member has left */
  uint32_t nested;           /* tasks on the stack below it, up to the next one that a wait has
                              * begun */
  uint32_t listed;           /* nodes in the table of its siblings' dependences; w, r: parent's
                              * thread */
  const struct nth_icv *icv; /* it starts with these */
  /* deps: siblings that it is behind. next: the older one in its list, under its lock; moved: where
   * to. class: NTH_POOL_BIG: its memory goes back to the system. fn NULL: nothing to run, for its
   * dependences only. home: its maker's: there it is queued by who is not of the team */
  NTH_HEAD(struct nth_task, void (*fn)(void *), struct nth_slot *home);
  void *data;
  struct nth_team *team;               /* NULL: outside any */
  _Atomic(struct nth_member *) runner; /* who runs it, or its children at last; w: that member, NULL
                                        * before and after; others only compare it with themselves,
                                        * each child's end: not on the line where children are
                                        * counted */
  /* a line that most tasks have no use for */
  union {
    struct nth_task *newer;  /* in its list; under its lock */
    struct nth_berth *berth; /* on which it was started, or stays; task_berth.h */
  };
  const struct nth_task *origin; /* came: the frame it has left: who the task is for nest locks */
  struct nth_node event;         /* with detach: it is finished behind its function's end, what
                                  * fulfils the event, and nano-threads */
  uint32_t generation;           /* with detach: of fork(), when it was made */
  _Atomic(uint32_t) fulfilled;   /* with detach: the event is; w: who does it */
  struct nth_icv own_icv;        /* its own, once written */
};

static_assert(offsetof(struct nth_task, parent) == 0, "what others leave alone: NTH_POOL_NOT_OURS");
static_assert(
    offsetof(struct nth_task, icv) == NTH_LINE && offsetof(struct nth_task, newer) == 2 * NTH_LINE,
    "two lines for most tasks: what thieves and its children's ends look at, and what it runs");

/* What the data of a task begins with that runs itself: a batch's (NTH_TASK_BATCH). */
struct nth_task_self {
  void (*run)(struct nth_member *m, struct nth_task *t);
};

/* Where in a task's memory its struct nth_depend lies, if it has one: on a line of its own. */
#define NTH_TASK_DEPEND ((sizeof(struct nth_task) + NTH_LINE - 1) / NTH_LINE * NTH_LINE)

/* Whether it may be suspended, with its stack; task_berth.h. */
static inline bool nth_task_is_loose(const struct nth_task *t) { return t->flags & NTH_TASK_LOOSE; }

static inline struct nth_task *nth_task_of(struct nth_node *node) {
  return (struct nth_task *)((char *)node - offsetof(struct nth_task, node));
}
static inline struct nth_task *nth_task_of_event(struct nth_node *event) {
  return (struct nth_task *)((char *)event - offsetof(struct nth_task, event));
}

static inline struct nth_depend *nth_task_depend(struct nth_task *t) {
  return (struct nth_depend *)((char *)t + NTH_TASK_DEPEND);
}

/* A bit of `parent`. */
#define NTH_TASK_PASSES ((uintptr_t)1)

/* NULL: implicit tasks have none. */
static inline struct nth_task *nth_task_parent(const struct nth_task *t) {
  return (struct nth_task *)(nth_load_rlx(&t->parent) & ~NTH_TASK_PASSES);
}

/* The task as an item of a deque (task_queue.h, I3). */
static inline void *nth_task_item(struct nth_task *t) {
  return (char *)t + (t->class == NTH_POOL_BIG);
}

/* Stays the same when the task leaves its frame. */
static inline const struct nth_task *nth_task_identity(const struct nth_task *t) {
  return nth_unlikely(t->flags & NTH_TASK_CAME) ? t->origin : t;
}

/* taskgroup.h */
struct nth_taskgroup {
  NTH_POOL_NOT_OURS;
  struct nth_taskgroup *outer;
  uintptr_t *reductions;              /* registered arrays, NULL: none; reduction.h */
  bool workshare;                     /* of a construct with reduction(task): a cancel means the one
                                       * around */
  _Atomic(bool) cancelled;            /* its tasks that have not started are discarded; task:C */
  _Atomic(struct nth_member *) owner; /* who opened it; w: that one; NULL while its task is
                                       * suspended at its end */
  struct nth_berth *waiter;           /* of that task then */
  struct nth_tally count;             /* unfinished tasks; task:A */
};

static_assert(sizeof(struct nth_taskgroup) <= NTH_LINE, "one line");

#endif
