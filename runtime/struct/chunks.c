/* chunks.c - a loop that is cut into chunks, by any schedule, for those who come and go
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/struct/chunks.h"

#include "runtime/struct/cut.h"

/* Chunks of equal size; the last one may be smaller. */
static uint64_t units(const struct nth_chunks *c) {
  return c->trips == 0 ? 0 : (c->trips - 1) / c->chunk + 1;
}

/* How many of n units owner i has: they go around. */
static uint32_t around(uint64_t n, uint32_t i, uint32_t owners) {
  return n <= i ? 0 : (uint32_t)((n - 1 - i) / owners + 1);
}

void nth_chunks_set(struct nth_chunks *c) {
  uint64_t least = c->trips == 0 ? 1 : (c->trips - 1) / NTH_RANGE_MAX + 1;
  nth_assert(c->owners > 0 && (c->parts > 0 || c->kind < NTH_CHUNKS_GUIDED));
  c->chunk = c->chunk == 0 ? 1 : c->chunk;
  nth_store_rlx(&c->next, 0);
  if (c->kind == NTH_CHUNKS_GUIDED)
    return;
  if (c->kind == NTH_CHUNKS_TRAPEZOID) {
    nth_trapezoid_set(&c->trapezoid, c->trips, c->owners, c->chunk);
    return;
  }
  c->chunk = c->chunk > least ? c->chunk : least;
  for (uint32_t i = 0; i < c->owners; i++) {
    uint64_t begin = 0, end = 1;
    if (c->kind == NTH_CHUNKS_CYCLIC)
      end = around(units(c), i, c->owners);
    else if (c->kind != NTH_CHUNKS_BLOCK)
      nth_cut_block(units(c), i, c->owners, &begin, &end);
    nth_range_set(&c->range[i], (uint32_t)begin, (uint32_t)end);
  }
}

/* Iterations of the units from .. to - 1. */
static bool of_units(const struct nth_chunks *c, uint64_t from, uint64_t to, uint64_t *begin,
                     uint64_t *end) {
  nth_assert(from < to && to <= units(c));
  *begin = from * c->chunk;
  *end = to == units(c) ? c->trips : to * c->chunk;
  return true;
}

static bool take_block(struct nth_chunks *c, uint32_t owner, uint64_t *begin, uint64_t *end) {
  uint32_t unit;
  if (!nth_range_take(&c->range[owner], &unit))
    return false;
  nth_cut_block(c->trips, owner, c->owners, begin, end);
  return *begin < *end;
}

static bool take_cyclic(struct nth_chunks *c, uint32_t owner, uint64_t *begin, uint64_t *end) {
  uint32_t unit;
  if (!nth_range_take(&c->range[owner], &unit))
    return false;
  uint64_t at = (uint64_t)unit * c->owners + owner;
  return of_units(c, at, at + 1, begin, end);
}

static bool take_dynamic(struct nth_chunks *c, uint32_t owner, uint64_t *begin, uint64_t *end) {
  uint32_t next, far;
  if (nth_range_take(&c->range[owner], &next))
    return of_units(c, next, next + 1, begin, end);
  for (uint32_t i = owner + 1; i < owner + c->owners; i++) {
    if (!nth_range_steal(&c->range[i % c->owners], &next, &far))
      continue;
    nth_range_give(&c->range[owner], next + 1, far);
    return of_units(c, next, next + 1, begin, end);
  }
  return false;
}

static bool take_guided(struct nth_chunks *c, uint64_t *begin, uint64_t *end) {
  uint64_t at = nth_load_rlx(&c->next), size;
  do {
    if (at >= c->trips)
      return false;
    size = nth_cut_guided(c->trips - at, c->parts, c->chunk);
  } while (!nth_cas_rlx(&c->next, &at, at + size));
  *begin = at;
  *end = at + size;
  return true;
}

static bool take_trapezoid(struct nth_chunks *c, uint64_t *begin, uint64_t *end) {
  uint64_t i = nth_add_rlx(&c->next, 1);
  if (i >= c->trapezoid.chunks)
    return false;
  *begin = nth_trapezoid_start(&c->trapezoid, i);
  *end = i + 1 == c->trapezoid.chunks ? c->trips : nth_trapezoid_start(&c->trapezoid, i + 1);
  return true;
}

static bool take_affinity(struct nth_chunks *c, uint32_t owner, uint64_t *begin, uint64_t *end) {
  uint32_t next, far;
  if (!nth_range_take_part(&c->range[owner], c->parts, &next, &far)) {
    struct nth_range *from;
    do {
      if (!(from = nth_range_fullest(c->range, c->owners)))
        return false;
    } while (!nth_range_steal_part(from, c->owners, &next, &far));
  }
  return of_units(c, next, far, begin, end);
}

bool nth_chunks_take(struct nth_chunks *c, uint32_t owner, uint64_t *begin, uint64_t *end) {
  nth_assert(owner < c->owners);
  switch (c->kind) {
  case NTH_CHUNKS_BLOCK: return take_block(c, owner, begin, end);
  case NTH_CHUNKS_CYCLIC: return take_cyclic(c, owner, begin, end);
  case NTH_CHUNKS_DYNAMIC: return take_dynamic(c, owner, begin, end);
  case NTH_CHUNKS_GUIDED: return take_guided(c, begin, end);
  case NTH_CHUNKS_TRAPEZOID: return take_trapezoid(c, begin, end);
  case NTH_CHUNKS_AFFINITY: return take_affinity(c, owner, begin, end);
  }
  return false;
}
