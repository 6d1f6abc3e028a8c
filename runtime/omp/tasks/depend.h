/* depend.h - dependences between tasks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 15.9.5: a task with depend clauses starts when the earlier
 *             siblings that access the same objects in a conflicting way have finished.
 * How         Only the parent's own thread makes siblings, so the table of what they access
 *             (depend_table.h) has no lock: it says which siblings are predecessors. In a first
 *             step the new task notes an edge for each, in its own memory, and nobody else knows it
 *             yet. So when it links the edges, each onto its predecessor's list, it has counted
 *             them already, by a plain store, in the node of its head (struct/head.h). A
 *             predecessor takes its list when it finishes, and takes one off each successor's
 *             count; who takes the last one makes the task ready. Edges that came too late the
 *             parent takes off itself, all at once.
 * Use         nth_depend_register() when a deferred task is made, nth_depend_release() when it has
 *             finished; nth_depend_wait() before a construct with depend clauses that is not
 *             deferred.
 * Array       old: [0] n > 0, [1] how many of them out; addresses from [2]. New: [0] 0, [1] n, then
 *             how many out, mutexinoutset, in; addresses from [5], the rest pointers to
 *             omp_depend_t: {address, kind}. Address 0 among the out: omp_all_memory.
 * Invariants  I1  a node's counter = edges to it that are linked and not resolved + edges yet to be
 *                 linked, or found to be too late and not yet taken off
 *             I2  successors is DONE or a list of edges; after DONE nothing is added
 *             I3  an edge is not touched after it was taken off; nor is the successor, but by who
 *                 took the last one off. The parent keeps the memory of all whose edges it notes,
 *                 until these are linked (depend_table.h I4)
 * Orders      S   successors: the parent's CAS release -> the finisher's exchange acquire: the
 *                 edge; the finisher's exchange release -> a later load-acquire of DONE: the task's
 *                 writes. Where the finisher is the parent's own thread nobody else is at the word:
 *                 no exchange
 *             the counters: deps.h, last()
 * Cost        an edge: one CAS on the predecessor; all but the last one resolved: a locked
 *             subtraction on the successor. A task: one exchange. None of them without unfinished
 *             predecessors, or where the parent's thread runs the task itself
 * Tested by   tests/lit/tasks/depend*, tests/model/depend
 */
#ifndef NTH_OMP_DEPEND_H
#define NTH_OMP_DEPEND_H

#include <assert.h>
#include <stddef.h>

#include "runtime/base/atomic.h"
#include "runtime/base/config.h"
#include "runtime/mem/pool.h"

struct nth_depend;
struct nth_exclusion;
struct nth_member;
struct nth_node;
struct nth_task;

struct nth_edge {
  struct nth_edge *next; /* in the predecessor's list */
  union {
    struct nth_depend *before; /* the predecessor; */
    struct nth_node *after;    /* once it is linked the successor */
  };
};

struct nth_edge_block {
  NTH_POOL_NOT_OURS;
  struct nth_edge_block *next;
  struct nth_edge edge[NTH_EDGES_MORE];
};

/* A task, or a wait, among the dependences of siblings. What others touch but for its node, and the
 * first edge, is one line. */
struct nth_depend {
  _Atomic(uintptr_t) successors;   /* struct nth_edge *; w: parent, finisher; S */
  uint32_t edges;                  /* noted ones; the parent's */
  const struct nth_depend *latest; /* the successor it got last; the parent's, who only compares: it
                                    * may be gone */
  struct nth_task *task;           /* NULL: of a wait */
  struct nth_exclusion *exclusion; /* mutexinoutset: one at a time; exclusion.h; NULL: none */
  struct nth_edge_block *blocks;   /* for edges beyond own, the newest first */
  struct nth_edge own[NTH_EDGES_OWN];
};
static_assert(offsetof(struct nth_depend, own[1]) <= NTH_LINE, "one line for a chain");

/* Kinds of access, numbers of omp_depend_t. */
enum {
  NTH_DEPEND_IN = 1,
  NTH_DEPEND_OUT = 2,
  NTH_DEPEND_INOUT = 3,
  NTH_DEPEND_MUTEX = 4,
  NTH_DEPEND_INOUTSET = 5
};

/* The array in hand, one access after the other. */
struct nth_depend_list {
  void **array;
  size_t at, count;
  size_t out, mutex, in; /* items of these kinds come first, in this order */
  size_t first;          /* index of the first item */
};
struct nth_access {
  uintptr_t address; /* 0: all memory */
  uint32_t kind;     /* NTH_DEPEND_, never INOUT */
};
void nth_depend_list_begin(struct nth_depend_list *l, void **depend);
bool nth_depend_list_next(struct nth_depend_list *l, struct nth_access *a);

/* Gives t, which has room for a struct nth_depend (NTH_TASK_DEPEND), its place among its siblings.
 * True: it has no unfinished predecessor, the caller may run it. False: nth_task_ready() will be
 * called for it, perhaps was. */
bool nth_depend_register(struct nth_task *t, void **depend);

/* t waits for no sibling any more: makes ready what it is, or stands for. By any thread. */
void nth_depend_start(struct nth_task *t);

/* The task has finished: each successor waits for one less. own: the caller is the thread that
 * makes its siblings. */
void nth_depend_release(struct nth_depend *d, bool own);
/* The task is about to run: fetches the lines of what its end will probably touch, and of what runs
 * next. */
void nth_depend_fetch(struct nth_depend *d);
/* The task's memory goes. */
void nth_depend_end(struct nth_depend *d);

/* Waits until the dependences of `depend` (NULL: none) are fulfilled. */
void nth_depend_wait(struct nth_member *m, void **depend);

/* Notes that `after` is to be behind `before`, a sibling that has not finished; for the table. */
void nth_depend_note(struct nth_depend *after, struct nth_depend *before);

#define NTH_DEPEND_DONE ((uintptr_t)1)
static inline bool nth_depend_done(struct nth_depend *d) {
  return nth_load_acq(&d->successors) == NTH_DEPEND_DONE; /* S */
}

/* What t's children accessed is forgotten: they are all finished, or will get no siblings any
 * more. */
void nth_depend_clear(struct nth_task *t);
/* The same for an implicit task whose next region begins. */
void nth_depend_restart(struct nth_task *t);
/* The same at the end of t; the memory goes too. */
void nth_depend_forget(struct nth_task *t);

#endif
