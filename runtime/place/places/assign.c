/* assign.c - which member of a team is bound to which place
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/place/places/assign.h"

#include "runtime/base/check.h"

/* The partition, cut into parts of nearly equal length, the longer ones first. */
struct parts {
  uint32_t shorter; /* places of a short part */
  uint32_t longer;  /* how many parts have one place more */
};

static uint32_t part_start(const struct parts *p, uint32_t part) {
  return part * p->shorter + (part < p->longer ? part : p->longer);
}

static uint32_t part_of(const struct parts *p, uint32_t place) {
  uint32_t end = p->longer * (p->shorter + 1);
  return place < end ? place / (p->shorter + 1) : p->longer + (place - end) / p->shorter;
}

/* The policy spread with at most as many members as places. at: the primary thread's place, counted
 * from the partition's first. */
static uint64_t spread(const struct nth_assignment *a, uint32_t i, uint32_t at) {
  uint32_t first = nth_seat_first(a->primary), count = nth_seat_count(a->primary);
  struct parts p = {count / a->members, count % a->members};
  uint32_t part = part_of(&p, at) + i;
  part -= part >= a->members ? a->members : 0;
  uint32_t start = part_start(&p, part), end = part_start(&p, part + 1);
  return nth_seat(first + (i == 0 ? at : start), first + start, end - start);
}

uint64_t nth_assign(const struct nth_assignment *a, uint32_t i) {
  uint32_t first = nth_seat_first(a->primary), count = nth_seat_count(a->primary);
  if (a->primary == 0 || a->policy == NTH_BIND_PRIMARY)
    return a->primary;
  uint32_t at = nth_seat_place(a->primary) - first;
  nth_assert(at < count && i < a->members);
  if (a->policy == NTH_BIND_SPREAD && a->members <= count)
    return spread(a, i, at);
  uint32_t each = a->members / count, step = i;
  if (each > 0)
    step = i < each * count ? i / each : i - each * count;
  at = at + step < count ? at + step : at + step - count;
  if (a->policy == NTH_BIND_SPREAD)
    return nth_seat(first + at, first + at, 1);
  return nth_seat(first + at, first, count);
}

uint32_t nth_assign_places(const struct nth_assignment *a) {
  uint32_t count = nth_seat_count(a->primary);
  if (a->policy == NTH_BIND_PRIMARY)
    return 1;
  return a->members < count ? a->members : count;
}

uint32_t nth_assign_load(const struct nth_assignment *a, uint32_t i) {
  uint32_t places = nth_assign_places(a);
  return a->members / places + (i < a->members % places);
}
