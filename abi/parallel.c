/* parallel.c - parallel constructs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 10.1. The flags argument holds the proc_bind clause in bits 0..2.
 *
 * GOMP_parallel        runs fn(data) in each member of a new team. num_threads 0: as the ICVs
 *                      say; 1: a team of one. Fewer threads than asked for are no error
 * GOMP_parallel_start  for old programs: starts fn(data) in the other members of a new team; the
 *                      caller runs fn(data) itself
 * GOMP_parallel_end    for old programs: joins that team
 */
#include "abi_protos.h"

#include "abi/proc_bind.h"
#include "abi/tool.h"
#include "runtime/omp/team/parallel.h"

/* GOMP_parallel when a tool watches. */
NTH_APART_FROM_ENTRY void parallel_told(void (*fn)(void *), void *data, unsigned num_threads,
                                        unsigned flags) {
  nth_told_parallel(fn, data, num_threads, nth_proc_bind(flags), NTH_RA);
}

void GOMP_parallel(void (*fn)(void *), void *data, unsigned num_threads, unsigned flags) {
  if (nth_tool_on())
    parallel_told(fn, data, num_threads, flags);
  else
    nth_team_parallel(fn, data, num_threads, nth_proc_bind(flags));
}

void GOMP_parallel_start(void (*fn)(void *), void *data, unsigned num_threads) {
  if (nth_tool_on())
    nth_told_parallel_open(fn, data, num_threads, NTH_RA);
  else
    nth_parallel_open(fn, data, num_threads);
}

void GOMP_parallel_end(void) {
  if (nth_tool_on())
    nth_told_parallel_close(NTH_RA);
  else
    nth_parallel_close();
}
