/* depend.h - dependences between tasks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 15.9.5: a task with depend clauses starts when those earlier
 *             siblings have finished that access the same objects in a conflicting way.
 * How         Only the parent's own thread makes siblings. So the table of what they access
 *             (depend_table.h), which names a new task's predecessors, needs no lock.
 *             First, the new task notes an edge for each predecessor, in its own memory; no other
 *             thread knows the task yet. Then it counts all its edges by one plain store in the
 *             node of its head (struct/head.h). Last, it links each edge onto the predecessor's
 *             list.
 *             A predecessor that finishes takes its list, and takes one off each successor's
 *             count. The thread that takes the last one off makes the successor ready. Edges that
 *             came too late for their predecessor's list are taken off by the parent itself, all
 *             at once.
 * Use         nth_depend_register() when a deferred task is made, nth_depend_release() when it has
 *             finished; nth_depend_wait() before a construct with depend clauses that is not
 *             deferred
 * Array       old: [0] n > 0, [1] how many of them out; addresses from [2]. New: [0] 0, [1] n,
 *             then how many out, mutexinoutset, in; addresses from [5], the rest pointers to
 *             omp_depend_t: {address, kind}. Address 0 among the out: omp_all_memory.
 * Invariants  I1  a node's counter = edges to it that are linked and not resolved + edges that are
 *                 still to be linked, or came too late and are not yet taken off
 *             I2  successors is DONE or a list of edges; after DONE nothing is added
 *             I3  after an edge was taken off, nobody touches it, and only the thread that took
 *                 the last edge off touches the successor. The parent keeps the memory of each
 *                 predecessor to which it notes an edge, until the edges are linked
 *                 (depend_table.h I4)
 * Orders      S   successors: the parent's CAS release -> the finisher's exchange acquire: the
 *                 edge; the finisher's exchange release -> a later load-acquire of DONE: the
 *                 task's writes. Where the parent's own thread is the finisher, no other thread is
 *                 at the word: no exchange
 *             the counters: deps.h, last()
 * Cost        an edge: one CAS on the predecessor; each resolved edge but the last: a locked
 *             subtraction on the successor. A task: one exchange. A task without unfinished
 *             predecessors, or that the parent's thread runs itself, costs none of these
 * Tested by   tests/lit/tasks/depend*, tests/model/depend
 */
#ifndef NTH_OMP_DEPEND_H
#define NTH_OMP_DEPEND_H

#include <stddef.h>

#include "runtime/base/atomic.h"
#include "runtime/omp/types/depend_type.h"

struct nth_member;

/* Kinds of access, numbers of omp_depend_t. */
enum {
  NTH_DEPEND_IN = 1,
  NTH_DEPEND_OUT = 2,
  NTH_DEPEND_INOUT = 3,
  NTH_DEPEND_MUTEX = 4,
  NTH_DEPEND_INOUTSET = 5
};

/* The compiler's array, read one access after the other. */
struct nth_depend_list {
  void **array;
  size_t at, count;
  size_t out, mutex, in; /* items of each kind; they come first, in this order */
  size_t first;          /* index of the first item */
};
struct nth_access {
  uintptr_t address; /* 0 with NTH_DEPEND_OUT: all memory */
  uint32_t kind;     /* NTH_DEPEND_, never NTH_DEPEND_INOUT */
};
void nth_depend_list_begin(struct nth_depend_list *l, void **depend);
bool nth_depend_list_next(struct nth_depend_list *l, struct nth_access *a);

/* Gives t its place among its siblings. t has room for a struct nth_depend (NTH_TASK_DEPEND). True:
 * it has no unfinished predecessor, and the caller may run it. False: nth_task_ready() will be
 * called for it, or was. */
bool nth_depend_register(struct nth_task *t, void **depend);

/* t no longer waits for a sibling: makes ready t, or the nano-thread for which t stands. By any
 * thread. */
void nth_depend_start(struct nth_task *t);

/* The task has finished: each successor waits for one predecessor less. own: the caller is the
 * thread that makes its siblings. */
void nth_depend_release(struct nth_depend *d, bool own);
/* The task is about to run: fetches the lines that its end will probably touch, and those of the
 * task that runs next. */
void nth_depend_fetch(struct nth_depend *d);
/* The task's memory is about to be given back. */
void nth_depend_end(struct nth_depend *d);

/* Waits until the dependences of `depend` (NULL: none) are fulfilled. */
void nth_depend_wait(struct nth_member *m, void **depend);

/* Notes an edge: `after` waits for `before`, a sibling that has not finished. For the table. */
void nth_depend_note(struct nth_depend *after, struct nth_depend *before);

/* Hears of each pair of tasks of which the second has to wait for the first, which may finish
 * meanwhile. Called by the thread that makes the second. NULL: nobody asks. w: the library's
 * start. */
extern void (*nth_depend_told)(struct nth_task *before, struct nth_task *after)
    __attribute__((visibility("hidden")));

static inline bool nth_depend_done(struct nth_depend *d) {
  return nth_load_acq(&d->successors) == NTH_DEPEND_DONE; /* S */
}

/* t's member, alone in its team, was far ahead with t's children and has run them all. From now on
 * it runs them as it makes them, so nobody lists them, until its next taskwait or barrier, or the
 * end of a taskgroup (group_over, where t has a table). */
void nth_depend_go_on_alone(struct nth_task *t);
void nth_depend_group_over(struct nth_task *t);
bool nth_depend_alone(const struct nth_task *t);

/* Forgets what t's children accessed: they are all finished, or t makes no more children. */
void nth_depend_clear(struct nth_task *t);
/* nth_depend_restart: nth_depend_clear for an implicit task whose next region begins; gives a large
 * table back. */
void nth_depend_restart(struct nth_task *t);
/* nth_depend_forget: nth_depend_clear at the end of t; gives the table back. */
void nth_depend_forget(struct nth_task *t);

#endif
