/* loop_sizes.c - loops whose chunks differ in size: which engine, guided, trapezoid, affinity
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/worksharing/loop_sizes.h"

#include "runtime/omp/member/member.h"
#include "runtime/omp/worksharing/loop_bounds.h"
#include "runtime/struct/cut.h"

/* The ranges count in units of one iteration, unless the loop has too many for a range. The last
 * unit is kept out of them. */
static void begin_affinity(struct nth_loop *l, const struct nth_loop_args *a, uint32_t members) {
  nth_assert(l->kind == NTH_LOOP_AFFINITY && !a->ordered && !a->monotonic);
  uint64_t parts = a->bounds.chunk == 0 ? members : a->bounds.chunk;
  l->parts = parts < NTH_RANGE_MAX ? (uint32_t)parts : NTH_RANGE_MAX;
  l->bounds.chunk = (a->bounds.trips - 1) / NTH_RANGE_MAX + 1;
  l->units = (uint32_t)((a->bounds.trips - 1) / l->bounds.chunk);
}

void nth_loop_sizes_begin(struct nth_loop *l, const struct nth_loop_args *a, uint32_t members) {
  if (l->kind == NTH_LOOP_TRAPEZOID)
    nth_trapezoid_set(&l->trapezoid, a->bounds.trips, members, a->bounds.chunk);
  else
    begin_affinity(l, a, members);
}

bool nth_loop_guided_next(struct nth_member *m, struct nth_loop *l) {
  (void)m; /* equal arguments let loop.c jump here */
  uint64_t at = nth_load_rlx(&l->share->counter), size;
  if (nth_unlikely(l->next == 0)) {
    nth_loop_bounds_agree(l);
    l->next = 1;
  }
  do {
    if (at >= l->bounds.trips)
      return false;
    size = nth_cut_guided(l->bounds.trips - at, l->parts, l->bounds.chunk);
  } while (!nth_cas_rlx(&l->share->counter, &at, at + size));
  l->begin = at;
  l->end = at + size;
  return true;
}

bool nth_loop_trapezoid_next(struct nth_member *m, struct nth_loop *l) {
  (void)m;
  const struct nth_trapezoid *t = &l->trapezoid;
  if (nth_load_rlx(&l->share->counter) >= t->chunks)
    return false;
  uint64_t i = nth_add_rlx(&l->share->counter, 1);
  if (i >= t->chunks)
    return false;
  l->begin = nth_trapezoid_start(t, i);
  l->end = i + 1 == t->chunks ? l->bounds.trips : nth_trapezoid_start(t, i + 1);
  return true;
}

bool nth_loop_affinity_next(struct nth_member *m, struct nth_loop *l) {
  struct nth_range *range = nth_workshare_ranges(l->share), *from = &range[m->now.thread_num];
  uint32_t n = m->now.team_size, next, end;
  if (!nth_range_take_part(from, l->parts, &next, &end)) {
    do {
      from = nth_range_fullest(range, n);
      if (!from)
        return nth_loop_last_unit(l);
    } while (!nth_range_steal_part(from, n, &next, &end));
  }
  l->begin = next * l->bounds.chunk;
  l->end = end * l->bounds.chunk; /* the unit that was kept out lies behind it */
  return true;
}
