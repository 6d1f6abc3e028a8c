/* loop_bounds.h - the bounds of a loop that members share are those of its descriptor's maker
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         With nowait a member may come to a loop when another one is past it and has changed
 *             the variables in its bounds for a later loop. Such a program has a race. But on
 *             libgomp the first member's bounds and chunk count for all, so it works there each
 *             time.
 * How         The maker's bounds lie on the line of the shared counter. A member compares its own
 *             with them at its first claim, when it has that line: of a counter after the addition,
 *             since a look before would move the line twice; of guided before it computes a size.
 *             Members of the other loops that share chunks compare when the loop begins. Those of a
 *             static loop do not: it need not touch the descriptor
 * Orders      none: the maker writes before it appends the descriptor (workshare.h, A)
 * Cost        four comparisons for each member and loop
 * Tested by   tests/lit/loops/late_bounds.c
 */
#ifndef NTH_OMP_LOOP_BOUNDS_H
#define NTH_OMP_LOOP_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/check.h"
#include "runtime/omp/types/share_type.h"

/* The maker notes what it has. */
static inline void nth_loop_bounds_note(struct nth_workshare *w, const struct nth_loop_args *a) {
  w->base = a->base;
  w->step = a->step;
  w->last = a->last;
  w->trips = a->trips;
  w->chunk = a->chunk;
}

/* Whether a member's loop as the program gave it has other bounds, or another chunk. `last` follows
 * from the others as far as iterations go. */
static inline bool nth_loop_bounds_differ(const struct nth_workshare *w,
                                          const struct nth_loop_args *a) {
  return ((w->base ^ a->base) | (w->step ^ a->step) | (w->trips ^ a->trips) |
          (w->chunk ^ a->chunk)) != 0;
}

/* The maker's count. */
static inline void nth_loop_bounds_adopt(struct nth_loop_args *a, const struct nth_workshare *w) {
  a->base = w->base;
  a->step = w->step;
  a->last = w->last;
  a->trips = w->trips;
  a->chunk = w->chunk;
}

/* How many chunks a loop has. */
static inline uint64_t nth_loop_chunks(uint64_t trips, uint64_t chunk) {
  nth_assert(chunk > 0);
  return trips == 0 ? 0 : (trips - 1) / chunk + 1;
}

/* A member's first claim of a counter or a guided loop: the maker's bounds count. */
static inline void nth_loop_bounds_agree(struct nth_loop *l) {
  const struct nth_workshare *w = l->share;
  if (nth_likely(((w->base ^ l->base) | (w->step ^ l->step) | (w->trips ^ l->trips) |
                  (w->chunk ^ l->chunk)) == 0))
    return;
  l->base = w->base;
  l->step = w->step;
  l->last = w->last;
  l->trips = w->trips;
  l->chunk = w->chunk;
  l->count = nth_loop_chunks(l->trips, l->chunk);
}

#endif
