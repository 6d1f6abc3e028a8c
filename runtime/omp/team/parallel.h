/* parallel.h - parallel constructs in their open and combined forms
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Programs of gcc before 4.9 call the body between GOMP_parallel_start and
 *             GOMP_parallel_end (the open form). Combined constructs (parallel for, parallel
 *             sections) set up a loop in each member before the body.
 */
#ifndef NTH_OMP_PARALLEL_H
#define NTH_OMP_PARALLEL_H

#include "runtime/omp/team/team.h"

/* Forks and returns; the caller runs the body and then closes. */
void nth_parallel_open(void (*fn)(void *), void *data, uint32_t clause);
void nth_parallel_close(void);

/* As nth_team_parallel and nth_parallel_open, with a loop that each member has begun when fn runs.
 * bind: proc_bind clause; 0: none. */
void nth_parallel_loop(void (*fn)(void *), void *data, uint32_t clause, uint32_t bind,
                       const struct nth_loop_args *args);
void nth_parallel_loop_open(void (*fn)(void *), void *data, uint32_t clause,
                            const struct nth_loop_args *args);

/* The slaves' body of a construct with a loop; data is the team's struct nth_combined. For
 * debuggers, which want the program's. */
void nth_combined_body(void *data);

/* parallel reduction(task, ...): the implicit tasks start in a taskgroup with these arrays. The
 * caller combines the copies and frees their memory. Returns the number of members. */
uint32_t nth_parallel_reductions(void (*fn)(void *), void *data, uint32_t clause, uint32_t bind,
                                 uintptr_t *arrays);
/* What it does before the fork, and after the join with the n members that there were. The group
 * has no outer one: the groups around the region do not concern its tasks. */
void nth_parallel_group(struct nth_team *t, struct nth_taskgroup *group, uintptr_t *arrays);
void nth_parallel_ungroup(struct nth_team *t, uint32_t n);

#endif
