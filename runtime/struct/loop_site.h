/* loop_site.h - what a member knows of the dynamic loops that the program begins at one place
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A claim from a counter in dispute costs as much as 300 empty iterations, and a short
 *             loop is over before a member has learned in it how many chunks to claim at once
 *             (claim.h). So a member remembers, by the place of the call that begins a loop, how
 *             long a chunk takes there. Where an even share of the loop takes less than
 *             NTH_LOOP_SHORT_US, a member claims its share at once, as schedule(static) would give
 *             it one; what another one has not claimed by then, it claims as well.
 * Use         find() when a loop begins. is_short(): claim shares; samples(): measure a claim of
 *             this loop; note() then.
 * Bounds      A share is claimed only after NTH_LOOP_SHORT_TRUST samples in a row that were short,
 *             and each NTH_LOOP_SHORT_LOOKS-th such loop is a sample, too. The number is odd, so
 *             that loops which take turns at one place are all looked at. A long sample ends the
 *             trust. Each long sample makes the wait for the next sample longer, for good. So a
 *             place whose loops are long now and then is mostly not trusted. A member that does
 *             not trust claims single chunks, also of a loop of which others claim shares. In a
 *             loop with no more chunks than members each claim is one chunk
 * Invariants  I1  trust <= NTH_LOOP_SHORT_TRUST
 *             I2  1 <= left, 1 <= calm <= NTH_LOOP_SHORT_CALM_MOST
 * Orders      none: it is the member's own
 * Cost        a loop: one line of the member's own; a sample reads the counter of time twice
 * Tested by   tests/unit/loop_site.c, tests/lit/loops/short*.c
 */
#ifndef NTH_STRUCT_LOOP_SITE_H
#define NTH_STRUCT_LOOP_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/config.h"

struct nth_loop_site {
  uintptr_t from;       /* the place; 0: none yet */
  uint32_t chunk;       /* what a chunk takes, the most of late, in units of nth_cycles() */
  uint32_t trust, left; /* short samples in a row; loops until the next sample; I1, I2 */
  uint32_t calm;        /* loops between two samples without trust; I2 */
};

struct nth_loop_sites {
  struct nth_loop_site row[NTH_LOOP_SITES]; /* by from; places that share a row forget each other */
};

static inline bool nth_loop_site_valid(const struct nth_loop_site *s) {
  return s->trust <= NTH_LOOP_SHORT_TRUST && s->left > 0 && s->calm > 0 &&
         s->calm <= NTH_LOOP_SHORT_CALM_MOST;
}

/* The row of the place. */
static inline struct nth_loop_site *nth_loop_site_find(struct nth_loop_sites *all, uintptr_t from) {
  struct nth_loop_site *s = &all->row[(from >> 2 ^ from >> 7) % NTH_LOOP_SITES];
  if (nth_unlikely(s->from != from))
    *s = (struct nth_loop_site){.from = from, .left = 1, .calm = 1};
  nth_assert_valid(nth_loop_site_valid(s));
  return s;
}

/* Whether a member's share of a loop of so many chunks is short for sure. */
bool nth_loop_site_is_short(const struct nth_loop_site *s, uint64_t count, uint32_t members);

/* Once a loop: whether one of its claims is to be measured. Until one is, each loop is a sample. */
static inline bool nth_loop_site_samples(struct nth_loop_site *s) {
  if (s->left == 1)
    return true;
  s->left--;
  return false;
}

/* A sample: so many chunks of a loop of `count` took so long, in units of nth_cycles(). */
void nth_loop_site_note(struct nth_loop_site *s, uint64_t took, uint64_t chunks, uint64_t count,
                        uint32_t members);

#endif
