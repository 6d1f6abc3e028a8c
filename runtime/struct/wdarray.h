/* wdarray.h - circular array of work descriptors: LWD (one reader) and GWD (a group of readers)
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         From the fork/join paper, "Thread Fork/Join Techniques for Multi-level Parallelism
 *             Exploitation in NUMA Multiprocessors" (ICS 1999), section 3.1. Work reaches the
 *             workers by one-way communication: the master writes, the slaves read. In the paper a
 *             slot is a pointer, and old slots are cleared. Here a slot holds the descriptor itself
 *             under an epoch stamp: one line carries all that a slave needs, and nothing has to be
 *             cleared.
 * Use         producer: nth_wdarray_put(). Reader: a position p from nth_wdarray_start(), then
 *             nth_wdarray_get() until it returns true.
 *             LWD: addressee is the reader's member number. GWD: addressee is the number of
 *             members, and readers with that number or a larger one skip the descriptor.
 * Invariants  I1  one producer at a time. Each follows the one before by a happens-before edge: the
 *                 master forks when no region of its group runs, and a recall is put by the one
 *                 member that won the worker (djs.h)
 *             I2  before epoch e is put, its slot holds epoch e - NTH_WD_SLOTS (0 in a young
 *                 array). So any other stamp there means that e has come, however long ago: a
 *                 bystander may have slept through more than half of all epochs
 *             I3  a descriptor stays until all its readers have joined. A bystander of a GWD may be
 *                 lapped; it reads stamps only
 * Orders      A   put: store-release of stamp -> get: load-acquire: publishes fn, data, owner
 * Cost        put: one line written; get: one line read
 * Tested by   tests/model/wdarray, tests/unit/struct.c
 */
#ifndef NTH_STRUCT_WDARRAY_H
#define NTH_STRUCT_WDARRAY_H

#include <assert.h>

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/config.h"

/* A work descriptor: what a worker is to run, and for which team. */
struct nth_wd {
  void (*fn)(void *);
  void *data;
  uintptr_t owner;    /* team or control word, see worker.h */
  uint32_t addressee; /* LWD: the reader's member number; GWD: members of the team */
};

struct nth_wd_slot {
  _Atomic(uint64_t) stamp; /* addressee << 32 | epoch; w: producer; r: readers; A */
  void (*fn)(void *);      /* w: producer; r: readers after A */
  void *data;
  uintptr_t owner;
};

struct nth_wdarray {
  _Alignas(NTH_APART) struct nth_wd_slot slot[NTH_WD_SLOTS];
  _Alignas(NTH_APART) uint32_t epoch; /* last epoch put; w, r: producer (I1) */
};

static_assert(sizeof(struct nth_wd_slot) == 32, "two slots a line");

static inline bool nth_wdarray_valid(const struct nth_wdarray *a) {
  for (uint32_t i = 0; i < NTH_WD_SLOTS; i++) {
    uint32_t e = (uint32_t)nth_load_rlx(&a->slot[i].stamp);
    if (e != 0 && (e % NTH_WD_SLOTS != i || (int32_t)(a->epoch - e) < 0))
      return false;
  }
  return true;
}

/* Publishes a descriptor. */
static inline void nth_wdarray_put(struct nth_wdarray *a, const struct nth_wd *wd) {
  uint32_t epoch = ++a->epoch;
  struct nth_wd_slot *s = &a->slot[epoch % NTH_WD_SLOTS];
  s->fn = wd->fn;
  s->data = wd->data;
  s->owner = wd->owner;
  nth_store_rel(&s->stamp, (uint64_t)wd->addressee << 32 | epoch); /* A */
}

/* The position at which a new reader begins, to read what is put after this call. Producer only. */
static inline uint32_t nth_wdarray_start(const struct nth_wdarray *a) { return a->epoch + 1; }

/* Whether a slot with this stamp does not have epoch p yet (I2). */
static inline bool nth_wdarray_awaits(uint64_t stamp, uint32_t p) {
  return p - (uint32_t)stamp - 1 < NTH_WD_SLOTS;
}

/* Whether a descriptor is at the reader's position, or beyond it after a lap. One load. */
static inline bool nth_wdarray_ready(struct nth_wdarray *a, uint32_t position) {
  return !nth_wdarray_awaits(nth_load_rlx(&a->slot[position % NTH_WD_SLOTS].stamp), position);
}

/* Takes the descriptor at *position and moves *position on. False: there is none, or none for this
 * reader. member: the reader's number, which only a GWD (gwd true) looks at. */
static inline bool nth_wdarray_get(struct nth_wdarray *a, uint32_t *position, bool gwd,
                                   uint32_t member, struct nth_wd *out) {
  uint32_t p = *position;
  struct nth_wd_slot *s = &a->slot[p % NTH_WD_SLOTS];
  uint64_t stamp = nth_load_acq(&s->stamp); /* A */
  if ((uint32_t)stamp != p) {
    if (!nth_wdarray_awaits(stamp, p))
      *position = (uint32_t)stamp - NTH_WD_SLOTS + 1; /* lapped: the older epochs are gone (I2,
                                                       * I3) */
    return false;
  }
  *position = p + 1;
  out->addressee = (uint32_t)(stamp >> 32);
  if (gwd && member >= out->addressee)
    return false;
  out->fn = s->fn;
  out->data = s->data;
  out->owner = s->owner;
  return true;
}

#endif
