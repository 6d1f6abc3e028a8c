/* depend_type.h - the struct of a task among its siblings' dependences; operations, and the
 * invariants I1 to I3: depend.h
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMP_DEPEND_TYPE_H
#define NTH_OMP_DEPEND_TYPE_H

#include <assert.h>
#include <stddef.h>

#include "runtime/base/atomic.h"
#include "runtime/base/config.h"
#include "runtime/mem/pool.h"

struct nth_depend;
struct nth_exclusion;
struct nth_node;
struct nth_task;

struct nth_edge {
  struct nth_edge *next; /* in the predecessor's list */
  union {
    struct nth_depend *before; /* noted: the predecessor */
    struct nth_node *after;    /* linked: the successor */
  };
};

struct nth_edge_slab {
  NTH_POOL_NOT_OURS;
  struct nth_edge_slab *next;
  struct nth_edge edge[NTH_EDGES_MORE];
};

/* A task, or a wait, among the dependences of siblings. One line holds all that other threads
 * touch, except for the node and the further edges. */
struct nth_depend {
  _Atomic(uintptr_t) successors;   /* struct nth_edge *; w: parent, finisher; S */
  uint32_t edges;                  /* how many it has noted; the parent's */
  const struct nth_depend *latest; /* its last successor, perhaps gone; the parent only compares */
  struct nth_task *task;           /* NULL: a wait's */
  struct nth_exclusion *exclusion; /* mutexinoutset: one task at a time; exclusion.h; NULL: none */
  struct nth_edge_slab *slabs;     /* for edges beyond own, the newest first */
  struct nth_edge own[NTH_EDGES_OWN];
};
static_assert(offsetof(struct nth_depend, own[1]) <= NTH_LINE, "one line for a chain");

/* `successors` of a task that has finished. */
#define NTH_DEPEND_DONE ((uintptr_t)1)

#endif
