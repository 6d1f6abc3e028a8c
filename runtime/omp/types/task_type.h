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

/* The first two are as in GOMP_task's flags.
 *
 *   CONSTRUCTED  the program's code made its arguments, and the task's function destroys them. So
 *                it runs even when the region is cancelled
 *   OUTERMOST    it is a child of an implicit task
 *   BATCH        many tasks in one descriptor (task_batch.h)
 *   PART         descriptor of those tasks of a batch that run; it lies on the heap, but has
 *                NTH_TASK_FRAME until it gets a deferred child
 *   CHANGED      it has got a deferred child, or ICVs of its own; set for frames and parts
 *   LEFT         it lay too deep in the stack to be run and is in a member's list (task_run.h)
 *   DEPENDS      it has a place among its siblings' dependences: nth_task_depend()
 *   CAME         it has left a frame, its `origin`
 *   LOOSE        it may be suspended together with its stack (task_berth.h)
 *   BOUND        it is tied, and UNTIED and LOOSE since it began above a foreign task
 *   STAYS        it is suspended, or another task on the stack that it was started on is
 *   LONE         it is an implicit task of no team; its memory may go back to the system
 *   MERGEABLE    in arguments that a tool is told of: the clause, which has no effect
 *   GUARDED      it, or a task from which it descends, was made under a lock (task_run.h, Locks)
 *   ITS_CHILDREN, ITS_GROUP  it is choosy: it waits for its children, or for its innermost group,
 *                and begins nothing else meanwhile (queue/sought.h) */
enum {
  NTH_TASK_UNTIED = 1,
  NTH_TASK_FINAL = 2,
  NTH_TASK_IMPLICIT = 4,
  NTH_TASK_FRAME = 8,
  NTH_TASK_MOVED = 16,
  NTH_TASK_DETACH = 32,
  NTH_TASK_BOUND = 64,
  NTH_TASK_CONSTRUCTED = 128,
  NTH_TASK_OUTERMOST = 256,
  NTH_TASK_BATCH = 512,
  NTH_TASK_PART = 1024,
  NTH_TASK_CHANGED = 2048,
  NTH_TASK_LEFT = 4096,
  NTH_TASK_DEPENDS = 8192,
  NTH_TASK_CAME = 16384,
  NTH_TASK_LOOSE = 32768,
  NTH_TASK_STAYS = 65536,
  NTH_TASK_LONE = 131072,
  NTH_TASK_MERGEABLE = 262144,
  NTH_TASK_GUARDED = 524288,
  NTH_TASK_ITS_CHILDREN = 1048576,
  NTH_TASK_ITS_GROUP = 2097152
};

/* The event of a task with a detach clause; task_finish.h. */
struct nth_task_event {
  struct nth_node node;    /* counts down to the task's end: its function's end, the event's
                            * fulfilment, nano-threads */
  uint32_t generation;     /* generation of fork() when the task was made */
  bool undeferred;         /* its maker waits for it, and ends it */
  _Atomic(bool) fulfilled; /* the event is fulfilled; w: the thread that fulfils it */
};

struct nth_task {
  _Atomic(uintptr_t) parent;           /* nth_task_parent(), + NTH_TASK_PASSES if its memory is no
                                        * pool's; set once; thieves read it, perhaps too late;
                                        * task_queue.h */
  struct nth_taskgroup *group;         /* innermost taskgroup that the task has open, or that it was
                                        * made in */
  struct nth_taskgroup *made_in;       /* the taskgroup it counts in, NULL: none */
  _Atomic(struct nth_member *) runner; /* the member that runs it, or runs its last children; w:
                                        * that member, NULL before and after. Others only compare
                                        * it with themselves, at each child's end */
  struct nth_depend_table *table; /* dependences of its children; its own thread's; NULL: none */
  _Atomic(uint32_t) refs;         /* I3 */
  uint32_t flags;                 /* NTH_TASK_ */
  uint32_t priority;
  uint32_t base;             /* length of its runner's deque when it began: its descendants lie
                              * above. LEFT: its number among the tasks that the member has left */
  uint32_t nested;           /* tasks below it on the stack, down to the next one that a wait has
                              * begun */
  uint32_t listed;           /* its nodes in the dependence table of its siblings; w, r: parent's
                              * thread */
  const struct nth_icv *icv; /* the ICVs with which it starts */
  /* deps: siblings that it waits for. next: the older task in its list, under the list's lock;
   * MOVED: its new address. class: NTH_POOL_BIG: its memory goes back to the system. fn NULL: it
   * has nothing to run and only orders dependences. home: the slot of its maker, where threads
   * outside the team queue it. */
  NTH_HEAD(struct nth_task, void (*fn)(void *), struct nth_slot *home);
  void *data;
  struct nth_team *team;     /* NULL: outside any */
  struct nth_tally children; /* unfinished children; A. Apart from what its own thread reads for
                              * each child that it makes, and from `runner`: both sides write
                              * here */
  /* a line that most tasks do not use */
  union {
    struct nth_task *newer;  /* the newer task in its list; under the list's lock */
    struct nth_berth *berth; /* the berth on which it was started, or is suspended; task_berth.h */
  };
  const struct nth_task *origin; /* CAME: the frame it has left, by which nest locks know the
                                  * task */
  struct nth_task_event event;   /* DETACH */
  struct nth_icv own_icv;        /* its own ICVs, once they are written */
};

static_assert(offsetof(struct nth_task, parent) == 0, "what others leave alone: NTH_POOL_NOT_OURS");
static_assert(offsetof(struct nth_task, icv) == NTH_LINE &&
                  offsetof(struct nth_task, newer) == 2 * NTH_LINE,
              "two lines for most tasks: what thieves and makers look at, and what it runs and is "
              "counted in");

/* What the data of a task begins with that runs itself: a batch's (NTH_TASK_BATCH). */
struct nth_task_self {
  void (*run)(struct nth_member *m, struct nth_task *t);
  /* takes a part out, as a task of its own that is in no queue, and queues the rest again */
  struct nth_task *(*part)(struct nth_member *m, struct nth_task *t);
};

/* Where a task's struct nth_depend lies in its memory, if it has one: on a line of its own. */
#define NTH_TASK_DEPEND ((sizeof(struct nth_task) + NTH_LINE - 1) / NTH_LINE * NTH_LINE)

/* Whether it may be suspended, with its stack; task_berth.h. */
static inline bool nth_task_is_loose(const struct nth_task *t) { return t->flags & NTH_TASK_LOOSE; }

static inline struct nth_task *nth_task_of(struct nth_node *node) {
  return (struct nth_task *)((char *)node - offsetof(struct nth_task, node));
}
static inline struct nth_task *nth_task_of_event(struct nth_node *event) {
  return (struct nth_task *)((char *)event - offsetof(struct nth_task, event.node));
}

static inline struct nth_depend *nth_task_depend(const struct nth_task *t) {
  return (struct nth_depend *)((char *)t + NTH_TASK_DEPEND);
}

/* A bit of `parent`; task_memory.h. */
#define NTH_TASK_PASSES ((uintptr_t)1)

/* NULL: an implicit task, which has no parent. */
static inline struct nth_task *nth_task_parent(const struct nth_task *t) {
  return (struct nth_task *)(nth_load_rlx(&t->parent) & ~NTH_TASK_PASSES);
}

/* Marks of an item of a deque; task_queue.h. */
enum { NTH_ITEM_BIG = 1, NTH_ITEM_TURNED = 2, NTH_ITEM_BRIEF = 4, NTH_ITEM_MARKS = 7 };

/* The task as an item of a deque (task_queue.h, I1). */
static inline void *nth_task_item(struct nth_task *t) {
  return (char *)t + (t->class == NTH_POOL_BIG ? NTH_ITEM_BIG : 0);
}

/* The address of an item's task, which may be gone. */
static inline struct nth_task *nth_task_at_item(const void *item) {
  return (struct nth_task *)((uintptr_t)item & ~(uintptr_t)NTH_ITEM_MARKS);
}

/* An address that stays the same when the task leaves its frame. */
static inline const struct nth_task *nth_task_identity(const struct nth_task *t) {
  return nth_unlikely(t->flags & NTH_TASK_CAME) ? t->origin : t;
}

/* A member's count of tasks in its team, in its slot; task.h I2. */
struct nth_slot_tasks {
  _Atomic(uint32_t) made, done;   /* tasks made by this member; of these, the finished ones; w:
                                   * member, master */
  _Atomic(uint32_t) done_outside; /* finished ones that threads outside the team ran; w: these;
                                   * task.h A */
  uint32_t seen;                  /* `made` at the last barrier; the member's own */
  bool depends; /* the implicit task's dependence table may list tasks; depend.h */
};

#endif
