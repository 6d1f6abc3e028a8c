/* task.h - explicit tasks: how they are made, run and waited for
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, sections 12.5 (task), 15.5 (taskwait), 15.4 (taskgroup). A member keeps
 *             the deferred tasks that it makes in a queue of its own; members of the team that
 *             wait run them.
 * Use         nth_task_create() makes a task; nth_task_wait() waits for the current task's
 *             children; nth_task_run_any() runs tasks at barriers and joins. See also taskgroup.h;
 *             inside the room: task_memory.h, task_finish.h, task_run.h
 * Rules       A task starts only at a scheduling point. In taskwait, at a taskgroup's end and in
 *             taskyield, only a descendant of the current task starts (tied tasks, section 12.9).
 *             At barriers any task starts.
 * Life        A deferred task is made, waits for its dependences (depend.h), is queued, runs, and
 *             is finished. With a detach clause it is finished when its function has returned and
 *             its event is fulfilled. A member with enough ready tasks runs the next one at once
 *             (nth_task_enough_ready()). A member that is far ahead with tasks that have
 *             dependences runs some of those that are ready.
 *             An undeferred task runs in the encountering thread at once. It lives on the stack
 *             (NTH_TASK_FRAME) until it gets a deferred child. Then the task, and the frames
 *             around it, move to the heap.
 * Invariants  I1  children = unfinished children of a task; group->count = unfinished tasks of a
 *                 taskgroup. The owner of such a tally (tally.h) is the thread that runs the task,
 *                 or that has the taskgroup open
 *             I2  made - done, summed over all slots, = tasks created and not finished. made rises
 *                 before others can see the task; done rises after the task has finished. A reader
 *                 loads all done first: each done that it sees has its made seen too. So equal
 *                 sums say that at some moment nothing was pending
 *             I3  a task's memory lives while refs > 0. References are held by: the task itself
 *                 until it has finished; its children together, if some are unfinished at its end;
 *                 each child that lives on after its own end; its event until fulfilled; the table
 *                 of its siblings' dependences while it lists the task. Implicit tasks are not
 *                 counted. A child's last reference does not look at an implicit parent: the
 *                 reference may be an event's, dropped when the thread has long left the place of
 *                 the implicit task
 *             I4  a parent that is counted or referred to by a heap task is not NTH_TASK_FRAME
 * Orders      A   finish: release on children / count / done -> wait: acquire: the task's writes
 *             F   finisher: done, fence, look at sleepers. Maker: push, fence, look for sleepers.
 *                 Both by nth_team_fence(), against the sleeper's nth_team_fence_sleeper() between
 *                 its announcement and its last look
 *             R   refs: whoever drops the last reference frees the task, after all others' reads
 *             C   cancelled: store-release -> load-acquire at cancellation points
 *             E   left: a member that ends with unfinished tasks -> the program's exit
 *             Queues: struct/deque.h, queue/task_list.h
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
  void (*copy)(void *to, void *from); /* makes the arguments from data; NULL: copies bytes */
  size_t size, align;                 /* bytes of the arguments */
  bool trivial;   /* copy makes no objects of the program's: the task may be discarded */
  uint32_t flags; /* NTH_TASK_UNTIED, NTH_TASK_FINAL; for told: NTH_TASK_MERGEABLE */
  uint32_t priority;
  bool deferred; /* false: the if clause is false */
  void **depend; /* the compiler's array (depend.h); NULL: no clause */
  void **event;  /* detach: where the event's handle goes; NULL: no clause */
};

/* The alignment of a task's arguments in memory, bytes, from that which the compiler asks for. */
static inline size_t nth_task_align(size_t asked) { return asked < 16 ? 16 : asked; }

/* Whether each task is more than plain: regions may be cancelled, or a tool watches. w: the start
 * of the library. */
extern bool nth_task_watched __attribute__((visibility("hidden")));

void nth_task_create(struct nth_member *m, const struct nth_task_args *a);
/* Whether nth_task_create() would put such a task off, if there is memory for it. */
bool nth_task_put_off(struct nth_member *m, const struct nth_task_args *a);
/* nth_task_defer: makes and queues a deferred task without depend, priority and detach clauses,
 * whose arguments are copied as bytes. Not for a task that is to run at once
 * (nth_task_at_once()). */
void nth_task_defer(struct nth_member *m, void (*fn)(void *), void *data, size_t size, size_t align,
                    uint32_t flags);

/* Creation in two steps, for a caller that writes into the arguments. nth_task_make: makes the
 * task; NULL when the task has to run at once or there is no memory. nth_task_submit: queues it.
 * Uses a->event and a->copy as nth_task_create() does. */
struct nth_task *nth_task_make(struct nth_member *m, const struct nth_task_args *a);
/* nth_task_make_anyway: like nth_task_make, but never asks for the task to be run at once. NULL: no
 * memory. */
struct nth_task *nth_task_make_anyway(struct nth_member *m, const struct nth_task_args *a);
void nth_task_submit(struct nth_member *m, struct nth_task *t, void **depend);
/* Makes a task that is never queued: it is finished when its event has been counted down n times.
 * a->event is not used; with a->depend it makes room for some. NULL: no memory. The caller counts
 * the task as made, and registers it. */
struct nth_task *nth_task_make_held(struct nth_member *m, const struct nth_task_args *a,
                                    uint32_t n);

/* Runs fn(data) as an undeferred task of the current one. */
void nth_task_run_now(struct nth_member *m, void (*fn)(void *), void *data, uint32_t flags);
/* nth_task_run_copy: like nth_task_run_now, with a copy of the arguments, made by a->copy if there
 * is one. If `edit` is given, edit(copy, what) changes the copy first. */
void nth_task_run_copy(struct nth_member *m, const struct nth_task_args *a,
                       void (*edit)(void *data, const void *what), const void *what);

/* t can run: queues it, and tells members that may wait for a task. By any thread. */
void nth_task_ready(struct nth_task *t);
/* Tells each member that may run tasks of the team, or wait for them, that there is one. By any
 * thread. inside: the caller is a member of the team. */
void nth_task_announce(struct nth_team *team, bool inside);

/* Fulfills the event of a detached task. False: it was fulfilled before. By any thread. */
bool nth_task_fulfill(struct nth_task *t);

/* taskwait: returns when the current task's children are finished. */
void nth_task_wait(struct nth_member *m);
/* Returns when all tasks of the region are finished; outside any region: all tasks of the member.
 * Runs any task meanwhile. */
void nth_task_wait_all(struct nth_member *m);
/* Waits until nothing is left in deps, and starts descendants of the current task meanwhile. The
 * thread that resolves the last dependence rings the bell. */
void nth_task_wait_for(struct nth_member *m, struct nth_deps *deps);
/* Waits until a tally of the current task's, or of its taskgroup's, is 0, and starts descendants of
 * the current task meanwhile. */
void nth_task_wait_tally(struct nth_member *m, struct nth_tally *tally);
/* taskyield: may run one descendant. */
void nth_task_yield(struct nth_member *m);
/* Starts any ready task of the team. False: none was seen. deep: also looks for tasks that other
 * members keep to themselves. */
bool nth_task_run_any(struct nth_member *m, bool deep);
/* Whether a wait's next look for tasks should be a deep one. Deep looks get rarer as the wait
 * lasts: each takes lines away from a busy member, or interrupts it. */
static inline bool nth_task_look_deep(const struct nth_wait *w) {
  uint32_t next = w->polls + 1;
  if (nth_likely(next % NTH_DEEP_POLLS != 0) || next < NTH_DEEP_POLLS << w->waiter->patience)
    return false;
  return next % NTH_DEEP_POLLS_MOST == 0 || (next & (next - 1)) == 0;
}

/* A task that waits for an event outside regions holds up neither its maker nor the maker's next
 * region. Its successors run, once they are ready, at the maker's next taskwait or barrier, before
 * the maker's next region, or at the end of the maker's thread. Those that are ready later run when
 * the program exits.
 * note: m makes such a task, if it is outside regions. run: runs what is ready; m is outside
 * regions. leave: m ends with unfinished tasks. */
void nth_task_note_outside(struct nth_member *m);
void nth_task_run_outside(struct nth_member *m);
void nth_task_leave_outside(struct nth_member *m);
/* In a forked child: those tasks are its parent's. */
void nth_task_outside_forked(void);

/* Makes a task that does nothing but wait for its dependences. The caller does not wait for it. */
void nth_task_create_empty(struct nth_member *m, void **depend);

/* A holder drops its reference to t (I3). */
void nth_task_unref(struct nth_task *t);

/* Whether tasks of the team are unfinished; team NULL: tasks of the member whose slot is solo,
 * outside any team. Loads two words of each member, so only waiting members call it. */
bool nth_tasks_left(const struct nth_team *team, const struct nth_slot *solo);
/* Sets the slot's counts to zero: no task that counts in the slot is left, or, after a fork, those
 * tasks are the parent process's. */
void nth_tasks_forget(struct nth_slot *s);
/* nth_tasks_begin_again: nth_tasks_forget for each slot of a team of which no region runs. */
void nth_tasks_begin_again(struct nth_team *team);

/* The bell on which members of this team sleep that wait for certain tasks. NULL: outside any
 * team. */
struct nth_bell *nth_task_bell(struct nth_team *team);
/* In a forked child: nobody sleeps on the bell for those outside any team. */
void nth_task_bell_forked(void);

#endif
