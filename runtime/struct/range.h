/* range.h - a member's own range of a loop, from which other members steal the far half
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Where chunks may go out in any order, each member has a range of its own, and takes
 *             chunks from a line that nobody else touches until another member has run dry:
 *             affinity scheduling, loops of nth.h, nonmonotonic loops with NTH_RANGES=on
 * Use         set() before other members see the range; take() or take_some() by the owner; steal()
 *             by any member. give() by the owner puts a stolen range into its own, empty one.
 *             Affinity scheduling: take_part() by the owner, steal_part() by any member, which runs
 *             what it stole at once. Such ranges know neither take() nor give().
 * Invariants  I1  word = next | end << 32, in units of chunks; units next .. end - 1 are still to
 *                 be done
 *             I2  only the owner moves next forward; a thief only lowers end; give() writes only
 *                 when the range is empty
 *             I3  next may be past end by less than the units that the owner's last take wanted
 * Orders      A   give's release -> steal's acquire. The units need no other order: a unit is a
 *                 number, and one atomic operation on one word claims it
 * Cost        take: one locked operation on a line that the owner has; steal: one miss and one CAS;
 *             either part: a division of 32 bits besides
 * Tested by   tests/model/range, tests/unit/struct.c
 */
#ifndef NTH_STRUCT_RANGE_H
#define NTH_STRUCT_RANGE_H

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/config.h"

/* Units in a range, and those that a take may want: so the addition of I3 does not carry into end.
 */
#define NTH_RANGE_MAX 0x7fffffffu

struct nth_range {
  _Alignas(NTH_APART) _Atomic(uint64_t) word; /* w: owner, thieves; I1, A */
};

static inline uint64_t nth_range_pack(uint32_t next, uint32_t end) {
  nth_assert(next <= end && end <= NTH_RANGE_MAX);
  return (uint64_t)end << 32 | next;
}

static inline void nth_range_set(struct nth_range *r, uint32_t next, uint32_t end) {
  nth_store_rlx(&r->word, nth_range_pack(next, end));
}

/* Owner: takes the next `most` units, or as many as there are but no more than 1 / 2^part of them
 * and one (claim.h), from *unit on; how many; 0: the range is empty. */
static inline uint32_t nth_range_take_some(struct nth_range *r, uint32_t most, uint32_t part,
                                           uint32_t *unit) {
  nth_assert(most > 0 && most <= NTH_RANGE_MAX);
  uint64_t w = nth_load_rlx(&r->word);
  uint32_t n = (uint32_t)w, e = (uint32_t)(w >> 32), some = most;
  if (n >= e)
    return 0;
  if (most > 1 && (e - n) >> part < most)
    some = ((e - n) >> part) + 1;
  w = nth_add_rlx(&r->word, some);
  n = (uint32_t)w;
  e = (uint32_t)(w >> 32);
  nth_assert(n <= e); /* I3 */
  *unit = n;
  return e - n < some ? e - n : some; /* a thief may have come in between */
}

/* Owner: takes the next unit; false: the range is empty. */
static inline bool nth_range_take(struct nth_range *r, uint32_t *unit) {
  return nth_range_take_some(r, 1, 0, unit) > 0;
}

/* Thief: takes the far half of a range, at least one unit; false: it is empty. */
static inline bool nth_range_steal(struct nth_range *r, uint32_t *next, uint32_t *end) {
  uint64_t w = nth_load_acq(&r->word); /* A */
  for (;;) {
    uint32_t n = (uint32_t)w, e = (uint32_t)(w >> 32);
    if (n >= e)
      return false;
    uint32_t keep = (e - n) / 2;
    if (nth_cas_acqrel(&r->word, &w, nth_range_pack(n, n + keep))) { /* A */
      *next = n + keep;
      *end = e;
      return true;
    }
  }
}

/* Units that are left: a hint. */
static inline uint32_t nth_range_left(struct nth_range *r) {
  uint64_t w = nth_load_rlx(&r->word);
  uint32_t n = (uint32_t)w, e = (uint32_t)(w >> 32);
  return n < e ? e - n : 0;
}

/* The range of n with the most left; NULL: all are empty. */
static inline struct nth_range *nth_range_fullest(struct nth_range range[], uint32_t n) {
  struct nth_range *found = 0;
  uint32_t most = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t left = nth_range_left(&range[i]);
    if (left > most) {
      most = left;
      found = &range[i];
    }
  }
  return found;
}

/* Takes 1 / parts of what is left, at least one unit, from the near end or the far one; false: the
 * range is empty. */
static inline bool nth_range_cut(struct nth_range *r, uint32_t parts, bool far, uint32_t *next,
                                 uint32_t *end) {
  uint64_t w = nth_load_rlx(&r->word);
  for (;;) {
    uint32_t n = (uint32_t)w, e = (uint32_t)(w >> 32);
    if (n >= e)
      return false;
    uint32_t size = (e - n - 1) / parts + 1, at = far ? e - size : n;
    if (nth_cas_rlx(&r->word, &w, far ? nth_range_pack(n, at) : nth_range_pack(at + size, e))) {
      *next = at;
      *end = at + size;
      return true;
    }
  }
}

/* Owner: a part from the near end. */
static inline bool nth_range_take_part(struct nth_range *r, uint32_t parts, uint32_t *next,
                                       uint32_t *end) {
  return nth_range_cut(r, parts, false, next, end);
}

/* Thief: a part from the far end. */
static inline bool nth_range_steal_part(struct nth_range *r, uint32_t parts, uint32_t *next,
                                        uint32_t *end) {
  return nth_range_cut(r, parts, true, next, end);
}

/* Owner: puts units next .. end - 1 into its range, which is empty (I2). */
static inline void nth_range_give(struct nth_range *r, uint32_t next, uint32_t end) {
  nth_store_rel(&r->word, nth_range_pack(next, end)); /* A */
}

#endif
