/* share_type.h - what members share of a work-sharing construct: structs of workshare.h, loop.h
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
  bool share;             /* a shared descriptor is wanted in any case */
  uint32_t ncounts;       /* doacross: dimensions of the nest; 0: not doacross */
  const uint64_t *counts; /* their iterations */
};

/* A construct combined with parallel: members set up the loop, then run fn(data). */
struct nth_combined {
  void (*fn)(void *);
  void *data;
  struct nth_loop_args args;
};

struct nth_workshare {
  _Alignas(NTH_APART) _Atomic(struct nth_workshare *) next; /* w: whoever appends; r: all; A */
  uint64_t id;                                              /* w: maker; r: all after A; I1 */
  struct nth_workshare *made_next;                          /* maker's lists */
  uint32_t ranges;                                          /* own ranges it has room for */
  void *mem;                       /* the program's memory; NULL: none; w: maker */
  struct nth_doacross *doacross;   /* of the last doacross loop; NULL: none yet; w: maker */
  _Atomic(uintptr_t *) reductions; /* room of a construct with reduction(task); reduction.c;
                                    * C */
  _Atomic(uint64_t) counter; /* shared counter; w, r: members, relaxed. On the line of next: a short
                              * loop is all there is on one line */
  _Alignas(NTH_LINE) struct nth_progress turn; /* ordered: first iteration whose turn it is */
};

/* The own ranges, one a member, that lie behind a descriptor. */
static inline struct nth_range *nth_workshare_ranges(struct nth_workshare *w) {
  return (struct nth_range *)(w + 1);
}

#endif
