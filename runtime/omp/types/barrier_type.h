/* barrier_type.h - what barriers keep in a team and in its slots; operations: barrier.h
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMP_BARRIER_TYPE_H
#define NTH_OMP_BARRIER_TYPE_H

#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/config.h"

/* How the members of a team meet; w: master, between regions; r: all members. */
struct nth_barrier_shape {
  uint8_t kind; /* NTH_BARRIER_ kind; barrier.h */
  uint8_t leaf; /* members in a leaf of the barrier tree */
};

/* The team's part: one line that all poll, one line that all write. */
struct nth_team_barrier {
  _Alignas(NTH_APART) _Atomic(uint32_t) released; /* the last epoch that is over, or, if
                                                   * no tasks were made since, an older one: at most
                                                   * 2^24 behind */
  _Alignas(NTH_APART) _Atomic(uint32_t) arrivals; /* crowded barrier: members that have arrived */
};

/* A member's part, which others poll. */
struct nth_slot_barrier {
  _Atomic(uint32_t) arrived;  /* epoch << 1 | tasks; w: member; barrier.h A */
  _Atomic(uint32_t) released; /* tree barrier: for its children; w: member */
  _Atomic(uint32_t) gathered; /* crowded barrier: arrivals of the members that this one leads; w:
                               * these; barrier.h A */
};

#endif
