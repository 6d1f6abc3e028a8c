/* share_type.h - the structs that members share of a work-sharing construct; see workshare.h
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMP_SHARE_TYPE_H
#define NTH_OMP_SHARE_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/config.h"
#include "runtime/struct/progress.h"
#include "runtime/struct/range.h"

struct nth_doacross;

/* A loop as all members see it. */
struct nth_loop_args {
  uint64_t base, step, last, trips;
  uint64_t chunk; /* 0: not given (static) */
  uint32_t sched; /* NTH_SCHED_ kind; never RUNTIME */
  bool monotonic, ordered;
  size_t mem;             /* bytes of shared zeroed memory wanted */
  bool share;             /* a shared descriptor is wanted even if the loop needs none */
  uint32_t ncounts;       /* doacross: dimensions of the nest; 0: not doacross */
  const uint64_t *counts; /* [ncounts]: the iterations of each dimension */
};

/* A construct combined with parallel: each member sets up the loop, then runs fn(data). */
struct nth_combined {
  void (*fn)(void *);
  void *data;
  struct nth_loop_args args;
};

struct nth_workshare {
  _Alignas(NTH_APART) _Atomic(struct nth_workshare *) next; /* w: the member that appends; r:
                                                             * all; A */
  uint64_t id;                                              /* w: maker; r: all after A; I1 */
  struct nth_workshare *made_next;                          /* next in one of the maker's lists */
  uint32_t ranges;                                          /* ranges that it has room for */
  void *mem;                       /* the program's memory; NULL: none; w: maker */
  struct nth_doacross *doacross;   /* of the last doacross loop; NULL: there was none; w: maker */
  _Atomic(uintptr_t *) reductions; /* copies of a construct with reduction(task); reduction.c; C */
  _Atomic(uint64_t) counter;       /* shared counter; w, r: members, relaxed. It lies on the line of
                                    * next, so that a short loop touches one line only */
  _Alignas(NTH_LINE) struct nth_progress turn; /* ordered: first iteration of the chunk that has
                                                * the turn */
};

/* The members' own ranges lie right after the descriptor, one for each member. */
static inline struct nth_range *nth_workshare_ranges(struct nth_workshare *w) {
  return (struct nth_range *)(w + 1);
}

#endif
