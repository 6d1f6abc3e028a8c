/* single.h - single constructs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 11.1: one member executes the block; with nowait no member waits.
 * How         The team's count of singles is the number of single constructs that members have
 *             taken; each member counts those that it has met. The first member at construct k
 *             moves the team's count from k to k + 1.
 * Cost        one CAS on a shared line
 */
#ifndef NTH_OMP_SINGLE_H
#define NTH_OMP_SINGLE_H

#include "runtime/omp/types/team_type.h"

/* Whether the caller executes its next single construct. */
static inline bool nth_single_begin(struct nth_member *m) {
  if (m->now.team_size == 1)
    return true;
  struct nth_team *t = m->now.team;
  nth_assert(nth_team_has(t, m));
  uint64_t mine = m->now.slot->shares.singles++;
  /* without a load before, which would cost a second miss */
  return nth_cas_rlx(&t->shares.singles, &mine, mine + 1);
}

#endif
