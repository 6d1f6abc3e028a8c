/* loop.c - work-sharing loops over long
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 11.5. Each entry decodes its arguments for the one loop engine (loop.h). All
 * _next entries are one function. Entries whose names differ in monotonic or nonmonotonic pass
 * different schedules.
 *
 * GOMP_loop_*_start        begin the loop start, start + incr, ... before end for the calling
 *                          member, and take its first chunk: [*istart, *iend), iend one step past
 *                          the last iteration; false: none is left. incr 0: no iteration. chunk
 *                          in iterations; below 1: the default
 * GOMP_loop_start          begins a loop with any schedule: sched 0 runtime, 1 static, 2 dynamic, 3
 *                          guided, 4 runtime that need not be monotonic, bit 31 monotonic.
 *                          reductions: arrays of reduction(task), or NULL. mem, or NULL: points to
 *                          a number of bytes, and then to memory of the team of that size. istart
 *                          NULL: takes no chunk
 * GOMP_loop_ordered_start  begins a loop with ordered regions, with any schedule
 * GOMP_loop_*_next         take the member's next chunk
 * GOMP_loop_end            the member's end of any loop, also of loop_ull.c, with a barrier
 * GOMP_loop_end_nowait     the end without a barrier
 * GOMP_loop_end_cancel     the end with a barrier that may be cancelled (true)
 */
#include "abi_protos.h"

#include "abi/loop_next.h"
#include "abi/tool.h"
#include "runtime/omp/sync/barrier.h"
#include "runtime/omp/taskloop/reduction.h"
#include "runtime/omp/team/cancel.h"

#define MONOTONIC NTH_SCHED_MONOTONIC

NTH_WITHIN bool start_loop(long start, long end, long incr, uint32_t sched, long chunk,
                           bool ordered, long *istart, long *iend) {
  struct nth_loop_args a = {.ordered = ordered, .from = (uintptr_t)NTH_RETURNS};
  NTH_FROM();
  nth_loop_args_long(&a, start, end, incr);
  nth_loop_args_sched(&a, sched, nth_loop_chunk(chunk));
  nth_loop_begin(nth_member_get(), &a);
  return nth_abi_next(istart, iend);
}

bool GOMP_loop_static_start(long start, long end, long incr, long chunk, long *istart, long *iend) {
  return start_loop(start, end, incr, NTH_SCHED_STATIC, chunk, false, istart, iend);
}

bool GOMP_loop_dynamic_start(long start, long end, long incr, long chunk, long *istart,
                             long *iend) {
  return start_loop(start, end, incr, NTH_SCHED_DYNAMIC | MONOTONIC, chunk, false, istart, iend);
}

bool GOMP_loop_guided_start(long start, long end, long incr, long chunk, long *istart, long *iend) {
  return start_loop(start, end, incr, NTH_SCHED_GUIDED | MONOTONIC, chunk, false, istart, iend);
}

bool GOMP_loop_nonmonotonic_dynamic_start(long start, long end, long incr, long chunk, long *istart,
                                          long *iend) {
  return start_loop(start, end, incr, NTH_SCHED_DYNAMIC, chunk, false, istart, iend);
}

bool GOMP_loop_nonmonotonic_guided_start(long start, long end, long incr, long chunk, long *istart,
                                         long *iend) {
  return start_loop(start, end, incr, NTH_SCHED_GUIDED, chunk, false, istart, iend);
}

bool GOMP_loop_runtime_start(long start, long end, long incr, long *istart, long *iend) {
  return start_loop(start, end, incr, NTH_SCHED_RUNTIME, 0, false, istart, iend);
}

bool GOMP_loop_nonmonotonic_runtime_start(long start, long end, long incr, long *istart,
                                          long *iend) {
  return start_loop(start, end, incr, NTH_SCHED_RUNTIME_NONMONOTONIC, 0, false, istart, iend);
}

bool GOMP_loop_maybe_nonmonotonic_runtime_start(long start, long end, long incr, long *istart,
                                                long *iend) {
  return start_loop(start, end, incr, NTH_SCHED_RUNTIME_NONMONOTONIC, 0, false, istart, iend);
}

bool GOMP_loop_ordered_static_start(long start, long end, long incr, long chunk, long *istart,
                                    long *iend) {
  return start_loop(start, end, incr, NTH_SCHED_STATIC, chunk, true, istart, iend);
}

bool GOMP_loop_ordered_dynamic_start(long start, long end, long incr, long chunk, long *istart,
                                     long *iend) {
  return start_loop(start, end, incr, NTH_SCHED_DYNAMIC | MONOTONIC, chunk, true, istart, iend);
}

bool GOMP_loop_ordered_guided_start(long start, long end, long incr, long chunk, long *istart,
                                    long *iend) {
  return start_loop(start, end, incr, NTH_SCHED_GUIDED | MONOTONIC, chunk, true, istart, iend);
}

bool GOMP_loop_ordered_runtime_start(long start, long end, long incr, long *istart, long *iend) {
  return start_loop(start, end, incr, NTH_SCHED_RUNTIME, 0, true, istart, iend);
}

/* The common part of the two general entries. istart NULL: the loop is only set up. */
NTH_WITHIN bool start_general(long start, long end, long incr, long sched, long chunk, bool ordered,
                              long *istart, long *iend, uintptr_t *reductions, void **mem) {
  struct nth_loop_args a = {.ordered = ordered, .from = (uintptr_t)NTH_RETURNS};
  NTH_FROM();
  nth_loop_args_long(&a, start, end, incr);
  nth_loop_args_sched(&a, (uint32_t)sched, nth_loop_chunk(chunk));
  nth_reduction_begin_loop(nth_member_get(), &a, reductions, mem);
  return nth_abi_first(istart, iend);
}

bool GOMP_loop_start(long start, long end, long incr, long sched, long chunk, long *istart,
                     long *iend, uintptr_t *reductions, void **mem) {
  return start_general(start, end, incr, sched, chunk, false, istart, iend, reductions, mem);
}

bool GOMP_loop_ordered_start(long start, long end, long incr, long sched, long chunk, long *istart,
                             long *iend, uintptr_t *reductions, void **mem) {
  return start_general(start, end, incr, sched, chunk, true, istart, iend, reductions, mem);
}

bool GOMP_loop_static_next(long *istart, long *iend) { return nth_abi_next(istart, iend); }

#define SAME_AS_STATIC_NEXT __attribute__((alias("GOMP_loop_static_next")))
bool GOMP_loop_dynamic_next(long *istart, long *iend) SAME_AS_STATIC_NEXT;
bool GOMP_loop_guided_next(long *istart, long *iend) SAME_AS_STATIC_NEXT;
bool GOMP_loop_nonmonotonic_dynamic_next(long *istart, long *iend) SAME_AS_STATIC_NEXT;
bool GOMP_loop_nonmonotonic_guided_next(long *istart, long *iend) SAME_AS_STATIC_NEXT;
bool GOMP_loop_runtime_next(long *istart, long *iend) SAME_AS_STATIC_NEXT;
bool GOMP_loop_nonmonotonic_runtime_next(long *istart, long *iend) SAME_AS_STATIC_NEXT;
bool GOMP_loop_maybe_nonmonotonic_runtime_next(long *istart, long *iend) SAME_AS_STATIC_NEXT;
bool GOMP_loop_ordered_static_next(long *istart, long *iend) SAME_AS_STATIC_NEXT;
bool GOMP_loop_ordered_dynamic_next(long *istart, long *iend) SAME_AS_STATIC_NEXT;
bool GOMP_loop_ordered_guided_next(long *istart, long *iend) SAME_AS_STATIC_NEXT;
bool GOMP_loop_ordered_runtime_next(long *istart, long *iend) SAME_AS_STATIC_NEXT;

void GOMP_loop_end_nowait(void) { nth_loop_leave(nth_self); }

void GOMP_loop_end(void) {
  struct nth_member *m = nth_self;
  nth_loop_leave(m);
  NTH_END_BARRIER(m);
}

bool GOMP_loop_end_cancel(void) {
  struct nth_member *m = nth_self;
  nth_loop_leave(m);
  return NTH_END_BARRIER_CANCEL(m);
}
