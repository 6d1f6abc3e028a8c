/* task.h - explicit tasks: create, run, wait
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, sections 12.5 (task), 15.5 (taskwait), 15.4 (taskgroup): deferred tasks
 *             are kept by the member that made them and run by whoever of the team waits.
 * Use         nth_task_create(), nth_task_wait() for children, nth_task_run_any() at barriers
 *             and joins; taskgroup.h. Inside: task_memory.h, task_finish.h, task_run.h
 * Rules       A task starts at a scheduling point only. In taskwait, taskgroup end and taskyield
 *             only a descendant of the current task is started (tied tasks, section 12.9), at
 *             barriers anything.
 * Life        made -> (waits for its dependences, depend.h) -> queued -> runs -> finished. With
 *             detach it is finished when its function has returned and its event is fulfilled.
 *             A member with enough ready tasks runs the next one at once (nth_task_enough_ready());
 *             one that is far ahead with tasks that have dependences runs some that are ready.
 *             Undeferred: runs in the encountering thread at once. Such a task lives on the stack
 *             (NTH_TASK_FRAME) until it gets a deferred child: then it, and the frames around it,
 *             move to the heap.
 * Invariants  I1  children = unfinished children; group->count = unfinished tasks of a taskgroup.
 *                 Their owner is the thread that runs the task, or has the taskgroup open (tally.h)
 *             I2  slots' made - done, summed up = tasks created and not finished; made is raised
 *                 before the task can be seen, done after it has finished. done is read first, so
 *                 that equal sums say: nothing was pending in between (each done that is seen has
 *                 its made seen)
 *             I3  a task's memory lives while refs > 0: itself until it has finished, its children
 *                 if some are unfinished at its end, children that live on after theirs (and hold
 *                 it then), its event until fulfilled, the table of its siblings' dependences that
 *                 lists it. Implicit tasks are not counted, and not looked at by a child's last
 *                 reference: it may be an event's, given back when the thread has long left the
 *                 place of the task
 *             I4  a parent that is counted or referred to by a heap task is not NTH_TASK_FRAME
 * Orders      A   finish: release on children / count / done -> wait: acquire: the task's writes
 *             F   done, light fence, look at sleepers; push, light fence, look for sleepers:
 *                 against the sleeper's nth_os_fence_all() between its announcement and its last
 *                 look
 *             R   refs: the last one down frees, after all others' reads
 *             C   cancelled: store-release -> load-acquire at cancellation points
 *             the queues' fields are under their lock (task_queue.h)
 * Tested by   tests/lit/tasks, tests/model/barrier, tests/model/chain
 */
#ifndef NTH_OMP_TASK_H
#define NTH_OMP_TASK_H

#include <stddef.h>

#include "runtime/omp/queue/task_queue.h"
#include "runtime/omp/types/icv.h"
#include "runtime/omp/types/task_type.h"
#include "runtime/sched/wait/wait.h"

struct nth_member;
struct nth_slot;
struct nth_team;

/* A task construct as the compiler gives it. */
struct nth_task_args {
  void (*fn)(void *);
  void *data;
  void (*copy)(void *to, void *from); /* makes the task's arguments of data; NULL: bytes are
                                       * copied */
  size_t size, align;                 /* bytes of the arguments */
  uint32_t flags;                     /* NTH_TASK_UNTIED, NTH_TASK_FINAL */
  uint32_t priority;
  bool deferred; /* if clause true */
  void **depend; /* the compiler's array, NULL: no clause; depend.h */
  void **event;  /* detach: where the event's handle goes, NULL: no clause */
};

void nth_task_create(struct nth_member *m, const struct nth_task_args *a);
/* One without depend, priority and detach clauses whose arguments are copied as bytes, and that is
 * not to be run at once (nth_task_at_once()). */
void nth_task_defer(struct nth_member *m, void (*fn)(void *), void *data, size_t size, size_t align,
                    uint32_t flags);

/* In two steps, for who writes into the arguments: makes the task, or NULL when it has to run at
 * once or there is no memory; then submits it. a->event and a->copy as above. */
struct nth_task *nth_task_make(struct nth_member *m, const struct nth_task_args *a);
/* The same however many there are already; NULL: no memory. */
struct nth_task *nth_task_make_anyway(struct nth_member *m, const struct nth_task_args *a);
void nth_task_submit(struct nth_member *m, struct nth_task *t, void **depend);
/* One that is never queued: it is finished when n others have counted its event down. a->event is
 * not there. NULL: no memory; not with a->depend, for which it has room. The caller counts it as
 * made, and registers it. */
struct nth_task *nth_task_make_held(struct nth_member *m, const struct nth_task_args *a,
                                    uint32_t n);

/* Runs fn(data) as an undeferred task of the caller's; the first two for who knows which one it
 * is. */
void nth_task_run_tied(struct nth_member *m, void (*fn)(void *), void *data, uint32_t flags);
void nth_task_run_untied(struct nth_member *m, void (*fn)(void *), void *data, uint32_t flags);
void nth_task_run_now(struct nth_member *m, void (*fn)(void *), void *data, uint32_t flags);
/* The same with a copy of the arguments made by a->copy and, if given, changed by edit(copy,
 * what). */
void nth_task_run_copy(struct nth_member *m, const struct nth_task_args *a,
                       void (*edit)(void *data, const void *what), const void *what);

/* The task can run: queues it and tells who may wait for one. By any thread. */
void nth_task_ready(struct nth_task *t);
/* Tells whoever may run or wait for tasks of the team that there is one; by any thread. inside: by
 * a member. */
void nth_task_announce(struct nth_team *team, bool inside);

/* The event of a detached task. False: it was fulfilled before. By any thread. */
bool nth_task_fulfill(struct nth_task *t);

/* taskwait: the current task's children are finished when it returns. */
void nth_task_wait(struct nth_member *m);
/* All tasks of the region, or outside any those of the member, are finished when it returns; runs
 * any. */
void nth_task_wait_all(struct nth_member *m);
/* Waits until nothing is left in deps, starting descendants of `from` meanwhile. Who resolves the
 * last rings the bell. */
void nth_task_wait_for(struct nth_member *m, struct nth_deps *deps, const struct nth_task *from);
/* The same for a tally of the caller's. */
void nth_task_wait_tally(struct nth_member *m, struct nth_tally *tally,
                         const struct nth_task *from);
/* taskyield: may run one descendant. */
void nth_task_yield(struct nth_member *m);
/* Starts any ready task of the team; false when there is none to be seen. deep: looks for what
 * others keep to themselves, too. */
bool nth_task_run_any(struct nth_member *m, bool deep);
/* Whether a wait's next look for tasks should be a deep one: rarer and rarer, for it takes lines
 * away from a busy member, or interrupts it. */
static inline bool nth_task_look_deep(const struct nth_wait *w) {
  uint32_t next = w->polls + 1;
  if (nth_likely(next % NTH_DEEP_POLLS != 0) || next < NTH_DEEP_POLLS << w->waiter->patience)
    return false;
  return next % NTH_DEEP_POLLS_MOST == 0 || (next & (next - 1)) == 0;
}

/* A task that does nothing but wait for its dependences; nobody waits for it here. */
void nth_task_create_empty(struct nth_member *m, void **depend);

/* The task is not needed by this holder any more (I3). */
void nth_task_unref(struct nth_task *t);

/* Whether tasks of the team are unfinished; NULL: of the member, outside any. Loads two words of
 * each member: for those who wait. */
bool nth_tasks_left(const struct nth_team *team, const struct nth_slot *solo);
/* No task that counts in the slot is left, or they are the parent process's: its counts start
 * again. */
void nth_tasks_forget(struct nth_slot *s);
/* The same for a team of which no region runs. */
void nth_tasks_begin_again(struct nth_team *team);

/* Where sleeps who waits for certain tasks of this team; NULL: outside any team. */
struct nth_bell *nth_task_bell(struct nth_team *team);

#endif
