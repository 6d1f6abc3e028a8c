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
 *             Members of the other loops with a descriptor compare when the loop begins. A static
 *             loop has one if it is ordered, has the schedule runtime, memory or a reduction of
 *             tasks
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

/* How many chunks a loop has. */
static inline uint64_t nth_loop_chunks(const struct nth_loop_bounds *b) {
  nth_assert(b->chunk > 0);
  return b->trips == 0 ? 0 : (b->trips - 1) / b->chunk + 1;
}

/* Whether a member's loop as the program gave it has other bounds than its maker's, or another
 * chunk. `last` follows from the others as far as iterations go. */
static inline bool nth_loop_bounds_differ(const struct nth_workshare *w,
                                          const struct nth_loop_bounds *b) {
  return ((w->bounds.base ^ b->base) | (w->bounds.step ^ b->step) | (w->bounds.trips ^ b->trips) |
          (w->bounds.chunk ^ b->chunk)) != 0;
}

/* A member's first claim of a counter or a guided loop: the maker's bounds count. */
static inline void nth_loop_bounds_agree(struct nth_loop *l) {
  if (nth_likely(!nth_loop_bounds_differ(l->share, &l->bounds)))
    return;
  l->bounds = l->share->bounds;
  l->count = nth_loop_chunks(&l->bounds);
}

#endif
