/* deal.h - how many processors each of several programs gets, by what they want
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Equal parts; what one does not want the others get in equal parts. Every program
 *             works out its own number by itself, from the same wants, as if it wanted all: so it
 *             always has what would be its own if it came back now.
 * Cost        at most n rounds over n wants, off every path of the program
 */
#ifndef NTH_SCHED_SHARE_DEAL_H
#define NTH_SCHED_SHARE_DEAL_H

#include <stdint.h>

#include "runtime/base/check.h"

/* The part of program `me`, from 1 to all, of so many processors; it counts as wanting all. */
static inline uint32_t nth_deal(uint32_t all, const uint32_t *wants, uint32_t n, uint32_t me) {
  uint32_t left = all, open = 0, before = 0, level = 0;
  nth_assert(all > 0 && me < n);
  for (;;) {
    /* those that want no more than an equal part of what is left have what they want */
    uint32_t next_left = all, next_open = 0, next_before = 0;
    for (uint32_t i = 0; i < n; i++) {
      if (i != me && wants[i] <= level) {
        next_left -= wants[i] < next_left ? wants[i] : next_left;
      } else {
        next_open++;
        next_before += i < me;
      }
    }
    left = next_left;
    if (next_open == open)
      break;
    open = next_open;
    before = next_before;
    level = left / open;
  }
  uint32_t mine = left / open + (before < left % open);
  return mine > 0 ? mine : 1;
}

#endif
