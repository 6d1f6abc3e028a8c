/* teams.c - teams constructs on the host
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 10.2. Counts of 0: not given. GOMP_teams_reg is a teams construct of the
 * host's program, the others stand in the code of target regions.
 *
 * GOMP_teams_reg  runs fn(data) in the initial thread of each of num_teams teams, whose regions
 *                 have at most thread_limit threads
 */
#include "abi_protos.h"

#include "runtime/omp/member/member.h"
#include "runtime/omp/target/teams.h"

void GOMP_teams_reg(void (*fn)(void *), void *data, unsigned num_teams, unsigned thread_limit,
                    unsigned flags) {
  (void)flags;
  nth_teams_run(fn, data, num_teams, thread_limit);
}

/* The caller runs the body after each true. Any number from low to high would do: low is enough,
 * where teams run in turn. */
bool GOMP_teams4(unsigned low, unsigned high, unsigned thread_limit, bool first) {
  (void)high;
  return nth_teams_next(nth_member_get(), low, thread_limit, first);
}

/* Programs of gcc before 12: called once, the caller runs the body once. */
void GOMP_teams(unsigned num_teams, unsigned thread_limit) {
  (void)num_teams;
  nth_teams_next(nth_member_get(), 1, thread_limit, true);
}
