/* teams.c - teams constructs on the host
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 10.2. A count of 0 is not given. GOMP_teams_reg is a teams construct outside
 * of target regions; the other entries are called in target regions.
 *
 * GOMP_teams_reg  runs fn(data) in the initial thread of each of num_teams teams, whose regions
 *                 have at most thread_limit threads
 */
#include "abi_protos.h"

#include "abi/tool.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/target/teams.h"

void GOMP_teams_reg(void (*fn)(void *), void *data, unsigned num_teams, unsigned thread_limit,
                    unsigned flags) {
  (void)flags;
  nth_teams_run(fn, data, num_teams, thread_limit, NTH_SITE());
}

/* The caller runs the body each time this returns true. Any number of teams from low to high is
 * allowed; low is enough, since teams run one after the other. */
bool GOMP_teams4(unsigned low, unsigned high, unsigned thread_limit, bool first) {
  (void)high;
  return nth_teams_next(nth_member_get(), low, thread_limit, first, NTH_SITE());
}

/* For programs of gcc before 12: the caller calls this once and runs the body once. */
void GOMP_teams(unsigned num_teams, unsigned thread_limit) {
  (void)num_teams;
  nth_teams_next(nth_member_get(), 1, thread_limit, true, NTH_SITE());
}
