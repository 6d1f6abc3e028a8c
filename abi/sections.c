/* sections.c - sections constructs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 11.3. The sections are a loop over 1..count with chunks of one.
 *
 * GOMP_sections_start           begins a construct of count sections; returns the calling member's
 *                               first section, from 1; 0: none is left
 * GOMP_sections2_start          begins one with task reductions and memory of the team, see
 *                               GOMP_loop_start
 * GOMP_sections_next            the member's next section; 0: none is left
 * GOMP_sections_end             the member's end of the construct, with a barrier
 * GOMP_sections_end_nowait      the end without a barrier
 * GOMP_sections_end_cancel      the end with a barrier that may be cancelled (true)
 * GOMP_parallel_sections        a team and its sections, as in parallel.c
 * GOMP_parallel_sections_start  a team and its sections for old programs, as in parallel.c
 */
#include "abi_protos.h"

#include "abi/proc_bind.h"
#include "abi/tool.h"
#include "runtime/omp/sync/barrier.h"
#include "runtime/omp/taskloop/reduction.h"
#include "runtime/omp/team/cancel.h"
#include "runtime/omp/team/parallel.h"
#include "runtime/omp/worksharing/loop.h"

static inline void section_args(struct nth_loop_args *a, unsigned count) {
  nth_loop_args_ull(a, true, 1, (unsigned long long)count + 1, 1);
  a->sched = NTH_SCHED_DYNAMIC;
  a->monotonic = true;
  a->bounds.chunk = 1;
  a->sections = true;
}

NTH_WITHIN unsigned next(void) {
  uint64_t from, to;
  NTH_FROM();
  return nth_loop_next(nth_self, &from, &to) ? (unsigned)from : 0;
}

unsigned GOMP_sections_next(void) { return next(); }

unsigned GOMP_sections_start(unsigned count) {
  struct nth_loop_args a = {0};
  NTH_FROM();
  section_args(&a, count);
  nth_loop_begin(nth_member_get(), &a);
  return next();
}

unsigned GOMP_sections2_start(unsigned count, uintptr_t *reductions, void **mem) {
  struct nth_loop_args a = {0};
  NTH_FROM();
  section_args(&a, count);
  nth_reduction_begin_loop(nth_member_get(), &a, reductions, mem);
  return next();
}

void GOMP_sections_end_nowait(void) { nth_loop_leave(nth_self); }

void GOMP_sections_end(void) {
  nth_loop_leave(nth_self);
  NTH_END_BARRIER(nth_self);
}

bool GOMP_sections_end_cancel(void) {
  nth_loop_leave(nth_self);
  return NTH_END_BARRIER_CANCEL(nth_self);
}

void GOMP_parallel_sections(void (*fn)(void *), void *data, unsigned num_threads, unsigned count,
                            unsigned flags) {
  struct nth_loop_args a = {0};
  section_args(&a, count);
  NTH_RUN_LOOP(fn, data, num_threads, nth_proc_bind(flags), &a);
}

void GOMP_parallel_sections_start(void (*fn)(void *), void *data, unsigned num_threads,
                                  unsigned count) {
  struct nth_loop_args a = {0};
  section_args(&a, count);
  NTH_OPEN_LOOP(fn, data, num_threads, &a);
}
