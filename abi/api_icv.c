/* api_icv.c - functions that read and set internal control variables
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, chapter 18; each function's comment has its section. No function fails: its comment
 * says what a value out of range does, which is as in libgomp. An ICV of a data environment is the
 * current task's. INTEGER(8) arguments of Fortran are clipped to int.
 */
#include <limits.h>

#include "abi_protos.h"

#include "runtime/omp/member/member.h"
#include "runtime/omp/worksharing/loop.h"
#include "runtime/place/places/allowed.h"

static int as_int(uint32_t n) { return n < INT_MAX ? (int)n : INT_MAX; }

/* --- team size --- */

/* Sets nthreads-var of the calling task: the size of regions without num_threads. 18.2.1. A number
 * below 1 counts as 1. */
void omp_set_num_threads(int n) { nth_icv_mine()->nthreads = n > 0 ? (uint32_t)n : 1; }

/* The size that the next region without num_threads may have. 18.2.3. */
int omp_get_max_threads(void) {
  uint32_t n = nth_icv_read()->nthreads;
  return as_int(n ? n : nth_allowed_first());
}

/* The number of CPUs that the calling thread may use, limited by the CPU quota. 18.7.1. */
int omp_get_num_procs(void) { return as_int(nth_allowed_here()); }

/* The largest number of threads in a contention group; INT_MAX: no limit. 18.2.13. */
int omp_get_thread_limit(void) { return as_int(nth_icv_read()->thread_limit); }

/* Sets dyn-var of the calling task: whether regions may get fewer threads than they ask for.
 * 18.2.6. */
void omp_set_dynamic(int on) { nth_icv_mine()->dynamic = on != 0; }

/* dyn-var of the calling task: 0 or 1. 18.2.7. */
int omp_get_dynamic(void) { return nth_icv_read()->dynamic; }

/* --- nesting --- */

/* Sets max-active-levels-var of the calling task. 18.2.15. A number above NTH_MAX_LEVELS counts as
 * NTH_MAX_LEVELS; a number below 0 changes nothing. */
void omp_set_max_active_levels(int levels) {
  levels = levels < NTH_MAX_LEVELS ? levels : NTH_MAX_LEVELS;
  if (levels >= 0)
    nth_icv_mine()->max_active_levels = (uint8_t)levels;
}

/* How many active regions may be nested. 18.2.16. */
int omp_get_max_active_levels(void) { return nth_icv_read()->max_active_levels; }

/* The largest value that omp_set_max_active_levels takes. 18.2.14. */
int omp_get_supported_active_levels(void) { return NTH_MAX_LEVELS; }

/* Deprecated: sets max-active-levels-var by a truth value; 0: at most one active level. 18.2.9. */
void omp_set_nested(int on) {
  if (on)
    nth_icv_mine()->max_active_levels = NTH_MAX_LEVELS;
  else if (nth_icv_read()->max_active_levels > 1)
    nth_icv_mine()->max_active_levels = 1;
}

/* Deprecated: whether the levels allow a region in this one to be active. 18.2.10. */
int omp_get_nested(void) {
  int levels = nth_icv_read()->max_active_levels;
  return levels > 1 && levels > omp_get_active_level();
}

/* --- loops --- */

/* Sets run-sched-var of the calling task, for schedule(runtime). 18.2.11. chunk is in iterations;
 * below 1: the kind's default. An unknown kind changes nothing; auto keeps the chunk. */
void omp_set_schedule(omp_sched_t kind, int chunk) {
  uint32_t plain = (uint32_t)kind & ~NTH_SCHED_MONOTONIC;
  if (!nth_sched_known(plain))
    return;
  struct nth_icv *icv = nth_icv_mine();
  icv->run_sched = (uint32_t)kind;
  if (plain != NTH_SCHED_AUTO)
    icv->run_chunk = chunk > 0 ? chunk : nth_sched_chunk(plain);
  nth_loop_args_mix();
}

/* run-sched-var: the kind with its monotonic bit, the chunk in iterations (0: none). 18.2.12. */
void omp_get_schedule(omp_sched_t *kind, int *chunk) {
  const struct nth_icv *icv = nth_icv_read();
  *kind = (omp_sched_t)icv->run_sched;
  *chunk = icv->run_chunk;
}

/* --- teams --- */

/* Sets the process's nteams-var: how many teams a construct without num_teams gets; 0: unset.
 * 18.4.3. A number below 0 changes nothing. */
void omp_set_num_teams(int n) {
  if (n >= 0)
    nth_store_rlx(&nth_settings.num_teams, (uint32_t)n);
}

/* nteams-var of the process; 0: unset. 18.4.4. */
int omp_get_max_teams(void) { return as_int(nth_load_rlx(&nth_settings.num_teams)); }

/* Sets the process's teams-thread-limit-var: how many threads a team of a league may have; 0:
 * unset. 18.4.5. A number below 0 changes nothing. */
void omp_set_teams_thread_limit(int n) {
  if (n >= 0)
    nth_store_rlx(&nth_settings.teams_thread_limit, (uint32_t)n);
}

/* teams-thread-limit-var of the process; 0: unset. 18.4.6. */
int omp_get_teams_thread_limit(void) {
  return as_int(nth_load_rlx(&nth_settings.teams_thread_limit));
}

/* --- fixed once the environment is read --- */

/* cancel-var, 0 or 1: OMP_CANCELLATION. 18.2.8. */
int omp_get_cancellation(void) { return nth_env.cancellation; }

/* max-task-priority-var: OMP_MAX_TASK_PRIORITY, 0 if not set. 18.5.1. */
int omp_get_max_task_priority(void) { return nth_env.max_task_priority; }

/* The binding policy of the next region without proc_bind. 18.3.1. */
omp_proc_bind_t omp_get_proc_bind(void) { return (omp_proc_bind_t)nth_icv_read()->bind; }

/* --- memory --- */

/* Sets def-allocator-var of the calling task. 18.13.4. omp_null_allocator sets
 * omp_default_mem_alloc. */
void omp_set_default_allocator(omp_allocator_handle_t allocator) {
  bool none = allocator == omp_null_allocator;
  nth_icv_mine()->default_allocator = (uintptr_t)(none ? omp_default_mem_alloc : allocator);
}

/* def-allocator-var of the calling task. 18.13.5. */
omp_allocator_handle_t omp_get_default_allocator(void) {
  return (omp_allocator_handle_t)nth_icv_read()->default_allocator;
}
