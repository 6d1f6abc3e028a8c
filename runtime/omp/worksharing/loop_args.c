/* loop_args.c - a loop as all members see it, from what the program says
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/member/member.h"
#include "runtime/omp/types/team_type.h"
#include "runtime/omp/worksharing/loop.h"

void nth_loop_args_long(struct nth_loop_args *a, long start, long end, long incr) {
  bool up = incr > 0;
  uint64_t step = (uint64_t)incr;
  uint64_t size = up ? step : 0 - step;
  uint64_t distance = up ? (uint64_t)end - (uint64_t)start : (uint64_t)start - (uint64_t)end;
  bool empty = up ? start >= end : start <= end;
  a->bounds.base = (uint64_t)start;
  a->bounds.step = step;
  a->bounds.last = (uint64_t)end;
  a->bounds.trips = empty || size == 0 ? 0 : (distance - 1) / size + 1;
}

void nth_loop_args_ull(struct nth_loop_args *a, bool up, unsigned long long start,
                       unsigned long long end, unsigned long long incr) {
  uint64_t size = up ? incr : 0 - incr;
  bool empty = up ? start >= end : start <= end;
  a->bounds.base = start;
  a->bounds.step = incr;
  a->bounds.last = end;
  a->bounds.trips = empty || size == 0 ? 0 : ((up ? end - start : start - end) - 1) / size + 1;
}

void nth_loop_args_doacross(struct nth_loop_args *a, uint32_t ncounts, const uint64_t *counts) {
  a->ncounts = ncounts;
  a->counts = counts;
  a->ordered = true;
}

/* What serves a kind that is none of static, dynamic and guided. */
static uint32_t settle(const struct nth_loop_args *a, uint32_t kind, uint64_t *chunk) {
  if (kind == NTH_SCHED_TRAPEZOID || kind == NTH_SCHED_GSS)
    return kind;
  if (kind == NTH_SCHED_AFFINITY && !a->monotonic && !a->ordered)
    return kind;
  *chunk = 0; /* auto; affinity where chunks must go out in order */
  return NTH_SCHED_STATIC;
}

void nth_loop_args_mix(void) {
  struct nth_member *m = nth_self;
  if (m && m->now.team_size > 1)
    nth_store_rlx(&m->now.team->shares.mixed, true);
}

void nth_loop_args_sched(struct nth_loop_args *a, uint32_t abi_sched, uint64_t chunk) {
  uint32_t kind = abi_sched & ~NTH_SCHED_MONOTONIC;
  a->monotonic = (abi_sched & NTH_SCHED_MONOTONIC) != 0;
  if (kind == NTH_SCHED_RUNTIME || kind == NTH_SCHED_RUNTIME_NONMONOTONIC) {
    const struct nth_icv *icv = nth_icv_read();
    a->monotonic = kind == NTH_SCHED_RUNTIME || (icv->run_sched & NTH_SCHED_MONOTONIC);
    kind = icv->run_sched & ~NTH_SCHED_MONOTONIC;
    chunk = icv->run_chunk > 0 ? (uint64_t)icv->run_chunk : 0;
    a->runtime = true;
  }
  if (kind < NTH_SCHED_STATIC || kind > NTH_SCHED_GUIDED)
    kind = settle(a, kind, &chunk);
  a->sched = kind;
  a->bounds.chunk = chunk == 0 ? (uint64_t)nth_sched_chunk(kind) : chunk;
}
