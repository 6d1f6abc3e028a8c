/* share_type.h - the structs that members share of a work-sharing construct; see workshare.h
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMP_SHARE_TYPE_H
#define NTH_OMP_SHARE_TYPE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/config.h"
#include "runtime/struct/claim.h"
#include "runtime/struct/loop_site.h"
#include "runtime/struct/progress.h"
#include "runtime/struct/range.h"
#include "runtime/struct/trapezoid.h"

struct nth_doacross;
struct nth_doacross_unit;

/* The bounds of a loop, and how it is cut. */
struct nth_loop_bounds {
  uint64_t base, step; /* iteration i has the value base + i * step (mod 2^64) */
  uint64_t last;       /* the end as the program gave it: bound of the last chunk */
  uint64_t trips;      /* iterations of the loop */
  uint64_t chunk;      /* iterations of a chunk; 0: not given (static, affinity) */
};

/* A loop as all members see it. */
struct nth_loop_args {
  struct nth_loop_bounds bounds;
  uint32_t sched; /* NTH_SCHED_ kind; never RUNTIME */
  bool monotonic, ordered, sections;
  bool runtime;           /* the schedule is the member's run-sched-var: others may have another */
  uintptr_t from;         /* where the program begins the loop; 0: not known */
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

/* A short loop touches the first line only. */
struct nth_workshare {
  _Alignas(NTH_APART) _Atomic(uintptr_t) next; /* the next descriptor, with 1 if its maker has put
                                                * all chunks on the counter, and a code of its
                                                * schedule; w: the member that appends; r: all; A */
  _Atomic(uint64_t) counter;                   /* shared counter; w, r: members, relaxed */
  struct nth_loop_bounds bounds;               /* of a loop: its maker's; loop_bounds.h; w: maker */
  uint64_t id;                                 /* w: maker; r: all after A; I1 */
  _Alignas(NTH_LINE) struct nth_progress turn; /* ordered: first iteration of the chunk that has
                                                * the turn */
  struct nth_doacross *doacross;   /* of the last doacross loop; NULL: there was none; w: maker */
  struct nth_workshare *made_next; /* next in one of the maker's lists */
  uint32_t ranges;                 /* ranges that it has room for */
  uint16_t sched;                  /* of a loop: its maker's kind; w: maker */
  bool monotonic;                  /* likewise */
  _Atomic(bool) several; /* ordered: an iteration had several regions; w, r: members, a hint */
  void *mem;             /* the program's memory; NULL: none; w: maker */
  _Atomic(uintptr_t *) reductions; /* copies of a construct with reduction(task); reduction.c; C */
};
static_assert(offsetof(struct nth_workshare, turn) == NTH_LINE, "the first line has the bounds");

/* A member's position in the current work-sharing loop; loop.h. The member's own. */
struct nth_loop {
  struct nth_loop_bounds bounds;
  uint64_t begin, end;         /* the current chunk, in iterations */
  uint64_t next;               /* static: first iteration of the next chunk; serial: next iteration;
                                * counter: the chunk behind the last claim; guided: not 0 after
                                * the first one */
  uint64_t count;              /* counter: chunks in all */
  uint64_t regions;            /* ordered: regions that the current chunk has had */
  uint32_t units, victim;      /* ranges: chunks but the last one (loop.h); the member to steal from
                                * next */
  uint32_t parts;              /* guided, affinity: a chunk is 1 / parts of what is left; counter,
                                * ranges: the members */
  uint8_t kind;                /* NTH_LOOP_ of loop.h */
  bool ordered, turn;          /* it has an ordered clause; it is this member's turn */
  bool passed;                 /* ordered: the current chunk has passed its turn early */
  uint8_t plain;               /* ordered: chunks that had one region an iteration; ordered.c */
  bool special;                /* it is ordered, or a tool hears of each chunk */
  struct nth_workshare *share; /* the construct's shared part, NULL: none */
  struct nth_doacross *doacross; /* shared part of a doacross loop; NULL: none, no wait is needed */
  struct nth_doacross_unit *own; /* doacross: the line of the current chunk */
  uint64_t unit;                 /* doacross: the number of the current chunk */
  struct nth_claim claim;        /* ranges, counter: how many chunks it claims at once */
  struct nth_loop_site *site;    /* ranges, counter: its place; NULL: not known, or done with */
  bool samples;                  /* of a claim it notes there how long it took */
  uint32_t some;                 /* counter, by shares: chunks to claim next; 0: not by shares */
  struct nth_trapezoid trapezoid; /* the sizes of its chunks */
};

/* What the work-sharing constructs of a region share, in its team. */
struct nth_team_shares {
  _Alignas(NTH_APART) _Atomic(uint64_t) singles; /* single constructs taken; single.h */
  void *copyprivate; /* w: the executing member before a barrier; r: others after it */
  _Alignas(NTH_APART) struct nth_workshare anchor;  /* head of the chain of shared descriptors */
  _Alignas(NTH_APART) struct nth_combined combined; /* w: master before the fork; r: members */
  _Atomic(bool) mixed; /* a member has set its schedule inside a region; stays; w, r: members. A
                        * hint: without it two members' schedules may be taken for the same */
};

/* A member's part, in its slot. The member's own. */
struct nth_slot_shares {
  struct nth_workshare *last; /* the last shared descriptor that it has used; NULL: the anchor */
  uint64_t id;                /* of `last`, or of the last one before that was forgotten */
  struct nth_workshare *made_first, *made_last; /* descriptors that this member made and that may
                                                 * be in use, oldest first */
  struct nth_workshare *free; /* descriptors that this member made and that are free */
  uint64_t pinned;  /* the id of a scope's descriptor, which the member uses to the scope's end,
                     * whatever comes inside; 0: none */
  uint64_t singles; /* single constructs met in this team */
  uint32_t made, scan_at;      /* length of the list from made_first on; length at which it looks
                                * for free ones */
  struct nth_workshare *alone; /* its descriptor for constructs in a team of one */
  struct nth_loop_sites sites; /* what it knows of the program's loops */
};

/* The members' own ranges lie right after the descriptor, one for each member. */
static inline struct nth_range *nth_workshare_ranges(struct nth_workshare *w) {
  return (struct nth_range *)(w + 1);
}

#endif
