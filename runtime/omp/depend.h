/* depend.h - dependences between tasks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 15.9.5: a task with depend clauses starts when the earlier siblings
 *             that access the same objects in a conflicting way have finished.
 * How         Only the parent's own thread makes siblings, so the table of what they access
 *             (depend_table.h) has no lock: it says which siblings are predecessors. A predecessor
 *             gets an edge, which lies in the successor's memory, onto a list that it takes with one
 *             exchange when it finishes; each edge lowers the successor's count of blockers by one,
 *             and who lowers it to 0 makes the task ready.
 * Use         nth_depend_register() when a deferred task is made, nth_depend_release() when it has
 *             finished; nth_depend_wait() before a construct with depend clauses that is not deferred.
 * Array       old: [0] n > 0, [1] how many of them out; addresses from [2]. New: [0] 0, [1] n, then how
 *             many out, mutexinoutset, in; addresses from [5], the rest pointers to omp_depend_t:
 *             {address, kind}. Address 0 among the out: omp_all_memory.
 * Invariants  I1  blockers = edges to it not yet resolved + 1 while it is being registered
 *             I2  successors is DONE or a list of edges; after DONE nothing is added
 *             I3  an edge is not touched after its blocker was taken off
 * Orders      S   successors: the parent's CAS release -> the finisher's exchange acquire: the edge; the
 *                 finisher's exchange release -> a later load-acquire of DONE: the task's writes
 *             B   blockers: release of each -> acquire of the last: all predecessors' writes
 * Cost        an edge: one CAS on the predecessor, one locked subtraction on the successor
 * Tested by   tests/lit/tasks/depend*
 */
#ifndef NTH_OMP_DEPEND_H
#define NTH_OMP_DEPEND_H

#include <stddef.h>

#include "runtime/base/atomic.h"

struct nth_bell;
struct nth_depend;
struct nth_exclusion;
struct nth_member;
struct nth_task;

struct nth_edge {
  struct nth_edge *next;
  struct nth_depend *to;
};

#define NTH_EDGES_OWN 4
#define NTH_EDGES_MORE 30
struct nth_edge_block {
  struct nth_edge_block *next;
  struct nth_edge edge[NTH_EDGES_MORE];
};

/* A task, or a wait, among the dependences of siblings. */
struct nth_depend {
  _Atomic(uintptr_t) successors; /* struct nth_edge *; w: parent, finisher; S */
  _Atomic(uint32_t) blockers;    /* w: parent, predecessors' finishers; B */
  uint32_t edges;                /* used in the newest block, or in own; the parent's */
  struct nth_task *task;         /* NULL: somebody waits for blockers == 0 */
  struct nth_bell *bell;         /* where it sleeps then */
  struct nth_depend *linked;     /* its latest successor; the parent's. Compared, never followed: while
                                  * this is not done, its successors are there */
  struct nth_edge_block *blocks;
  struct nth_exclusion *exclusion; /* mutexinoutset: one at a time; exclusion.h; NULL: none */
  struct nth_edge own[NTH_EDGES_OWN];
};

/* Kinds of access, numbers of omp_depend_t. */
enum { NTH_DEPEND_IN = 1, NTH_DEPEND_OUT = 2, NTH_DEPEND_INOUT = 3, NTH_DEPEND_MUTEX = 4,
       NTH_DEPEND_INOUTSET = 5 };

/* The array in hand, one access after the other. */
struct nth_depend_list {
  void **array;
  size_t at, count;
  size_t out, mutex, in; /* items of these kinds come first, in this order */
  size_t first;          /* index of the first item */
};
struct nth_access {
  uintptr_t address;  /* 0: all memory */
  uint32_t kind;      /* NTH_DEPEND_, never INOUT */
};
void nth_depend_list_begin(struct nth_depend_list *l, void **depend);
bool nth_depend_list_next(struct nth_depend_list *l, struct nth_access *a);

/* Gives t its place among its siblings. True: it has no unfinished predecessor, the caller may run
 * it. False: nth_task_ready() will be called for it, perhaps was. */
bool nth_depend_register(struct nth_task *t, void **depend);

/* The task has finished: its successors lose a blocker. */
void nth_depend_release(struct nth_depend *d);
void nth_depend_free(struct nth_depend *d);

/* Waits until the dependences of `depend` (NULL: none) are fulfilled. */
void nth_depend_wait(struct nth_member *m, void **depend);

/* Makes `after` a successor of `before`, which is one of its siblings; for the table. */
void nth_depend_link(struct nth_depend *before, struct nth_depend *after);

#define NTH_DEPEND_DONE ((uintptr_t)1)
static inline bool nth_depend_done(struct nth_depend *d) {
  return nth_load_acq(&d->successors) == NTH_DEPEND_DONE; /* S */
}

/* t's children are all finished: what they accessed is forgotten. */
void nth_depend_clear(struct nth_task *t);
/* The same at the end of t; the memory goes too. Children may be unfinished. */
void nth_depend_forget(struct nth_task *t);

#endif
