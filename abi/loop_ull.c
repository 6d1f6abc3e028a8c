/* loop_ull.c - work-sharing loops over unsigned long long
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 11.5. Each entry decodes its arguments for the one loop engine (loop.h). All
 * _next entries are one function. Entries whose names differ in monotonic or nonmonotonic pass
 * different schedules.
 *
 * GOMP_loop_ull_*_start        begin the loop start, start + incr, ... before end for the calling
 *                              member, and take its first chunk: [*istart, *iend), iend one step
 *                              past the last iteration; false: none is left. up: the direction.
 *                              incr 0: no iteration. chunk in iterations; 0: the default
 * GOMP_loop_ull_start          begins a loop with any schedule; sched, reductions, mem and istart
 *                              NULL as for GOMP_loop_start in loop.c
 * GOMP_loop_ull_ordered_start  begins a loop with ordered regions, with any schedule
 * GOMP_loop_ull_*_next         take the member's next chunk
 */
#include "abi_protos.h"

#include "abi/loop_next.h"
#include "abi/tool.h"
#include "runtime/omp/taskloop/reduction.h"

#define MONOTONIC NTH_SCHED_MONOTONIC

NTH_WITHIN bool start_loop(bool up, unsigned long long start, unsigned long long end,
                           unsigned long long incr, uint32_t sched, unsigned long long chunk,
                           bool ordered, unsigned long long *istart, unsigned long long *iend) {
  struct nth_loop_args a = {.ordered = ordered, .from = (uintptr_t)NTH_RETURNS};
  NTH_FROM();
  nth_loop_args_ull(&a, up, start, end, incr);
  nth_loop_args_sched(&a, sched, (uint64_t)chunk);
  nth_loop_begin(nth_member_get(), &a);
  return nth_abi_next_ull(istart, iend);
}

bool GOMP_loop_ull_static_start(bool up, unsigned long long start, unsigned long long end,
                                unsigned long long incr, unsigned long long chunk,
                                unsigned long long *istart, unsigned long long *iend) {
  return start_loop(up, start, end, incr, NTH_SCHED_STATIC, chunk, false, istart, iend);
}

bool GOMP_loop_ull_dynamic_start(bool up, unsigned long long start, unsigned long long end,
                                 unsigned long long incr, unsigned long long chunk,
                                 unsigned long long *istart, unsigned long long *iend) {
  return start_loop(up, start, end, incr, NTH_SCHED_DYNAMIC | MONOTONIC, chunk, false, istart,
                    iend);
}

bool GOMP_loop_ull_guided_start(bool up, unsigned long long start, unsigned long long end,
                                unsigned long long incr, unsigned long long chunk,
                                unsigned long long *istart, unsigned long long *iend) {
  return start_loop(up, start, end, incr, NTH_SCHED_GUIDED | MONOTONIC, chunk, false, istart, iend);
}

bool GOMP_loop_ull_nonmonotonic_dynamic_start(bool up, unsigned long long start,
                                              unsigned long long end, unsigned long long incr,
                                              unsigned long long chunk, unsigned long long *istart,
                                              unsigned long long *iend) {
  return start_loop(up, start, end, incr, NTH_SCHED_DYNAMIC, chunk, false, istart, iend);
}

bool GOMP_loop_ull_nonmonotonic_guided_start(bool up, unsigned long long start,
                                             unsigned long long end, unsigned long long incr,
                                             unsigned long long chunk, unsigned long long *istart,
                                             unsigned long long *iend) {
  return start_loop(up, start, end, incr, NTH_SCHED_GUIDED, chunk, false, istart, iend);
}

bool GOMP_loop_ull_runtime_start(bool up, unsigned long long start, unsigned long long end,
                                 unsigned long long incr, unsigned long long *istart,
                                 unsigned long long *iend) {
  return start_loop(up, start, end, incr, NTH_SCHED_RUNTIME, 0, false, istart, iend);
}

bool GOMP_loop_ull_nonmonotonic_runtime_start(bool up, unsigned long long start,
                                              unsigned long long end, unsigned long long incr,
                                              unsigned long long *istart,
                                              unsigned long long *iend) {
  return start_loop(up, start, end, incr, NTH_SCHED_RUNTIME_NONMONOTONIC, 0, false, istart, iend);
}

bool GOMP_loop_ull_maybe_nonmonotonic_runtime_start(bool up, unsigned long long start,
                                                    unsigned long long end, unsigned long long incr,
                                                    unsigned long long *istart,
                                                    unsigned long long *iend) {
  return start_loop(up, start, end, incr, NTH_SCHED_RUNTIME_NONMONOTONIC, 0, false, istart, iend);
}

bool GOMP_loop_ull_ordered_static_start(bool up, unsigned long long start, unsigned long long end,
                                        unsigned long long incr, unsigned long long chunk,
                                        unsigned long long *istart, unsigned long long *iend) {
  return start_loop(up, start, end, incr, NTH_SCHED_STATIC, chunk, true, istart, iend);
}

bool GOMP_loop_ull_ordered_dynamic_start(bool up, unsigned long long start, unsigned long long end,
                                         unsigned long long incr, unsigned long long chunk,
                                         unsigned long long *istart, unsigned long long *iend) {
  return start_loop(up, start, end, incr, NTH_SCHED_DYNAMIC | MONOTONIC, chunk, true, istart, iend);
}

bool GOMP_loop_ull_ordered_guided_start(bool up, unsigned long long start, unsigned long long end,
                                        unsigned long long incr, unsigned long long chunk,
                                        unsigned long long *istart, unsigned long long *iend) {
  return start_loop(up, start, end, incr, NTH_SCHED_GUIDED | MONOTONIC, chunk, true, istart, iend);
}

bool GOMP_loop_ull_ordered_runtime_start(bool up, unsigned long long start, unsigned long long end,
                                         unsigned long long incr, unsigned long long *istart,
                                         unsigned long long *iend) {
  return start_loop(up, start, end, incr, NTH_SCHED_RUNTIME, 0, true, istart, iend);
}

/* The common part of the two general entries. istart NULL: the loop is only set up. */
NTH_WITHIN bool start_general(bool up, unsigned long long start, unsigned long long end,
                              unsigned long long incr, long sched, unsigned long long chunk,
                              bool ordered, unsigned long long *istart, unsigned long long *iend,
                              uintptr_t *reductions, void **mem) {
  struct nth_loop_args a = {.ordered = ordered, .from = (uintptr_t)NTH_RETURNS};
  NTH_FROM();
  nth_loop_args_ull(&a, up, start, end, incr);
  nth_loop_args_sched(&a, (uint32_t)sched, (uint64_t)chunk);
  nth_reduction_begin_loop(nth_member_get(), &a, reductions, mem);
  return nth_abi_first_ull(istart, iend);
}

bool GOMP_loop_ull_start(bool up, unsigned long long start, unsigned long long end,
                         unsigned long long incr, long sched, unsigned long long chunk,
                         unsigned long long *istart, unsigned long long *iend,
                         uintptr_t *reductions, void **mem) {
  return start_general(up, start, end, incr, sched, chunk, false, istart, iend, reductions, mem);
}

bool GOMP_loop_ull_ordered_start(bool up, unsigned long long start, unsigned long long end,
                                 unsigned long long incr, long sched, unsigned long long chunk,
                                 unsigned long long *istart, unsigned long long *iend,
                                 uintptr_t *reductions, void **mem) {
  return start_general(up, start, end, incr, sched, chunk, true, istart, iend, reductions, mem);
}

bool GOMP_loop_ull_static_next(unsigned long long *istart, unsigned long long *iend) {
  return nth_abi_next_ull(istart, iend);
}

#define SAME_AS_STATIC_NEXT __attribute__((alias("GOMP_loop_ull_static_next")))
bool GOMP_loop_ull_dynamic_next(unsigned long long *istart,
                                unsigned long long *iend) SAME_AS_STATIC_NEXT;
bool GOMP_loop_ull_guided_next(unsigned long long *istart,
                               unsigned long long *iend) SAME_AS_STATIC_NEXT;
bool GOMP_loop_ull_nonmonotonic_dynamic_next(unsigned long long *istart,
                                             unsigned long long *iend) SAME_AS_STATIC_NEXT;
bool GOMP_loop_ull_nonmonotonic_guided_next(unsigned long long *istart,
                                            unsigned long long *iend) SAME_AS_STATIC_NEXT;
bool GOMP_loop_ull_runtime_next(unsigned long long *istart,
                                unsigned long long *iend) SAME_AS_STATIC_NEXT;
bool GOMP_loop_ull_nonmonotonic_runtime_next(unsigned long long *istart,
                                             unsigned long long *iend) SAME_AS_STATIC_NEXT;
bool GOMP_loop_ull_maybe_nonmonotonic_runtime_next(unsigned long long *istart,
                                                   unsigned long long *iend) SAME_AS_STATIC_NEXT;
bool GOMP_loop_ull_ordered_static_next(unsigned long long *istart,
                                       unsigned long long *iend) SAME_AS_STATIC_NEXT;
bool GOMP_loop_ull_ordered_dynamic_next(unsigned long long *istart,
                                        unsigned long long *iend) SAME_AS_STATIC_NEXT;
bool GOMP_loop_ull_ordered_guided_next(unsigned long long *istart,
                                       unsigned long long *iend) SAME_AS_STATIC_NEXT;
bool GOMP_loop_ull_ordered_runtime_next(unsigned long long *istart,
                                        unsigned long long *iend) SAME_AS_STATIC_NEXT;
