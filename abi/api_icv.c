/* api_icv.c - functions that read and set internal control variables
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 18.2. What a value out of range does is libgomp's answer.
 */
#include <limits.h>

#include "abi_protos.h"

#include "runtime/omp/member.h"
#include "runtime/place/allowed.h"

static int as_int(uint32_t n) {
  return n < INT_MAX ? (int)n : INT_MAX;
}

/* --- team size --- */

void omp_set_num_threads(int n) {
  nth_icv_mine()->nthreads = n > 0 ? (uint32_t)n : 1;
}

int omp_get_max_threads(void) {
  uint32_t n = nth_icv_read()->nthreads;
  return as_int(n ? n : nth_allowed_cpus());
}

int omp_get_num_procs(void) {
  return as_int(nth_allowed_here());
}

int omp_get_thread_limit(void) {
  return as_int(nth_icv_read()->thread_limit);
}

void omp_set_dynamic(int on) {
  nth_icv_mine()->dynamic = on != 0;
}

int omp_get_dynamic(void) {
  return nth_icv_read()->dynamic;
}

/* --- nesting --- */

void omp_set_max_active_levels(int levels) {
  levels = levels < NTH_MAX_LEVELS ? levels : NTH_MAX_LEVELS;
  if (levels >= 0)
    nth_icv_mine()->max_active_levels = (uint8_t)levels;
}

int omp_get_max_active_levels(void) {
  return nth_icv_read()->max_active_levels;
}

int omp_get_supported_active_levels(void) {
  return NTH_MAX_LEVELS;
}

void omp_set_nested(int on) {
  if (on)
    nth_icv_mine()->max_active_levels = NTH_MAX_LEVELS;
  else if (nth_icv_read()->max_active_levels > 1)
    nth_icv_mine()->max_active_levels = 1;
}

int omp_get_nested(void) {
  return nth_icv_read()->max_active_levels > 1;
}

/* --- loops --- */

/* A kind that does not exist changes nothing; auto keeps the chunk that was set. */
void omp_set_schedule(omp_sched_t kind, int chunk) {
  uint32_t plain = (uint32_t)kind & ~NTH_SCHED_MONOTONIC;
  if (plain < NTH_SCHED_STATIC || plain > NTH_SCHED_AUTO)
    return;
  struct nth_icv *icv = nth_icv_mine();
  icv->run_sched = (uint32_t)kind;
  if (plain != NTH_SCHED_AUTO)
    icv->run_chunk = chunk > 0 ? chunk : plain != NTH_SCHED_STATIC;
}

void omp_get_schedule(omp_sched_t *kind, int *chunk) {
  const struct nth_icv *icv = nth_icv_read();
  *kind = (omp_sched_t)icv->run_sched;
  *chunk = icv->run_chunk;
}

/* --- teams --- */

void omp_set_num_teams(int n) {
  if (n >= 0)
    nth_store_rlx(&nth_settings.num_teams, (uint32_t)n);
}

int omp_get_max_teams(void) {
  return as_int(nth_load_rlx(&nth_settings.num_teams));
}

void omp_set_teams_thread_limit(int n) {
  if (n >= 0)
    nth_store_rlx(&nth_settings.teams_thread_limit, (uint32_t)n);
}

int omp_get_teams_thread_limit(void) {
  return as_int(nth_load_rlx(&nth_settings.teams_thread_limit));
}

/* --- fixed once the environment is read --- */

int omp_get_cancellation(void) {
  return nth_env.cancellation;
}

int omp_get_max_task_priority(void) {
  return nth_env.max_task_priority;
}

omp_proc_bind_t omp_get_proc_bind(void) {
  return (omp_proc_bind_t)nth_icv_read()->bind;
}

/* --- memory --- */

void omp_set_default_allocator(omp_allocator_handle_t allocator) {
  bool none = allocator == omp_null_allocator;
  nth_icv_mine()->default_allocator = (uintptr_t)(none ? omp_default_mem_alloc : allocator);
}

omp_allocator_handle_t omp_get_default_allocator(void) {
  return (omp_allocator_handle_t)nth_icv_read()->default_allocator;
}
