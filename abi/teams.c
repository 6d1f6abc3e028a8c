/* teams.c - teams constructs on the host
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 10.2. Counts of 0: not given.
 *
 * GOMP_teams_reg  runs fn(data) in the initial thread of each of num_teams teams, whose regions
 *                 have at most thread_limit threads
 */
#include "abi_protos.h"

#include "runtime/omp/teams.h"

void GOMP_teams_reg(void (*fn)(void *), void *data, unsigned num_teams, unsigned thread_limit,
                    unsigned flags) {
  (void)flags;
  nth_teams_run(fn, data, num_teams, thread_limit);
}
