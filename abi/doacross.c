/* doacross.c - doacross loops: ordered(n) with source and sink
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, sections 4.4.4, 15.9.6 and 15.10.1. A nest of ncounts >= 1 loops is given by the
 * number of iterations of each loop, outermost first. An iteration is ncounts numbers that count
 * from 0. Only the outermost loop is shared among the members. The _next and _end entries are those
 * of loop.c and loop_ull.c. The program's words are read as uint64_t, whichever 64-bit type they
 * have.
 *
 * GOMP_loop_doacross_*_start      begin the nest counts[ncounts] for the calling member, and take
 *                                 its first chunk, iterations [*istart, *iend) of the outermost
 *                                 loop; false: none is left. chunk in iterations of that loop;
 *                                 below 1: the default. runtime: run-sched-var has both
 * GOMP_loop_doacross_start        begins a nest with any schedule: sched, reductions, mem and
 *                                 istart NULL as for GOMP_loop_start in loop.c
 * GOMP_loop_ull_doacross_*_start, begin a nest of loops over unsigned long long
 * GOMP_loop_ull_doacross_start
 *
 * GOMP_doacross_post              doacross(source:): iteration[ncounts] of the member's chunk has
 *                                 passed its source. Iterations come in increasing order
 * GOMP_doacross_wait              doacross(sink:): returns when the iteration, ncounts longs, has
 *                                 posted, or its chunk has ended. Returns at once unless it is an
 *                                 earlier iteration of another chunk
 * GOMP_doacross_ull_post,         post and wait for unsigned long long
 * GOMP_doacross_ull_wait
 *
 * A start that finds no memory for the nest says so and waits until there is some. In a team of
 * one, post and wait do nothing.
 */
#include <stdarg.h>

#include "abi_protos.h"

#include "abi/loop_next.h"
#include "abi/tool.h"
#include "runtime/omp/taskloop/reduction.h"
#include "runtime/omp/worksharing/doacross.h"

#define MONOTONIC NTH_SCHED_MONOTONIC

_Static_assert(sizeof(long) == sizeof(uint64_t), "long and unsigned long long are both 64 bits");

NTH_WITHIN void begin(unsigned ncounts, const long *counts, uint32_t sched, uint64_t chunk,
                      uintptr_t *reductions, void **mem) {
  struct nth_loop_args a = {0};
  NTH_FROM();
  nth_loop_args_long(&a, 0, counts[0], 1);
  nth_loop_args_doacross(&a, ncounts, (const uint64_t *)counts);
  nth_loop_args_sched(&a, sched, chunk);
  nth_reduction_begin_loop(nth_member_get(), &a, reductions, mem);
}

NTH_WITHIN void begin_ull(unsigned ncounts, const unsigned long long *counts, uint32_t sched,
                          uint64_t chunk, uintptr_t *reductions, void **mem) {
  struct nth_loop_args a = {0};
  NTH_FROM();
  nth_loop_args_ull(&a, true, 0, counts[0], 1);
  nth_loop_args_doacross(&a, ncounts, (const uint64_t *)counts);
  nth_loop_args_sched(&a, sched, chunk);
  nth_reduction_begin_loop(nth_member_get(), &a, reductions, mem);
}

bool GOMP_loop_doacross_static_start(unsigned ncounts, long *counts, long chunk, long *istart,
                                     long *iend) {
  begin(ncounts, counts, NTH_SCHED_STATIC, nth_loop_chunk(chunk), 0, 0);
  return nth_abi_first(istart, iend);
}

bool GOMP_loop_doacross_dynamic_start(unsigned ncounts, long *counts, long chunk, long *istart,
                                      long *iend) {
  begin(ncounts, counts, NTH_SCHED_DYNAMIC | MONOTONIC, nth_loop_chunk(chunk), 0, 0);
  return nth_abi_first(istart, iend);
}

bool GOMP_loop_doacross_guided_start(unsigned ncounts, long *counts, long chunk, long *istart,
                                     long *iend) {
  begin(ncounts, counts, NTH_SCHED_GUIDED | MONOTONIC, nth_loop_chunk(chunk), 0, 0);
  return nth_abi_first(istart, iend);
}

bool GOMP_loop_doacross_runtime_start(unsigned ncounts, long *counts, long *istart, long *iend) {
  begin(ncounts, counts, NTH_SCHED_RUNTIME, 0, 0, 0);
  return nth_abi_first(istart, iend);
}

bool GOMP_loop_doacross_start(unsigned ncounts, long *counts, long sched, long chunk, long *istart,
                              long *iend, uintptr_t *reductions, void **mem) {
  begin(ncounts, counts, (uint32_t)sched, nth_loop_chunk(chunk), reductions, mem);
  return nth_abi_first(istart, iend);
}

bool GOMP_loop_ull_doacross_static_start(unsigned ncounts, unsigned long long *counts,
                                         unsigned long long chunk, unsigned long long *istart,
                                         unsigned long long *iend) {
  begin_ull(ncounts, counts, NTH_SCHED_STATIC, chunk, 0, 0);
  return nth_abi_first_ull(istart, iend);
}

bool GOMP_loop_ull_doacross_dynamic_start(unsigned ncounts, unsigned long long *counts,
                                          unsigned long long chunk, unsigned long long *istart,
                                          unsigned long long *iend) {
  begin_ull(ncounts, counts, NTH_SCHED_DYNAMIC | MONOTONIC, chunk, 0, 0);
  return nth_abi_first_ull(istart, iend);
}

bool GOMP_loop_ull_doacross_guided_start(unsigned ncounts, unsigned long long *counts,
                                         unsigned long long chunk, unsigned long long *istart,
                                         unsigned long long *iend) {
  begin_ull(ncounts, counts, NTH_SCHED_GUIDED | MONOTONIC, chunk, 0, 0);
  return nth_abi_first_ull(istart, iend);
}

bool GOMP_loop_ull_doacross_runtime_start(unsigned ncounts, unsigned long long *counts,
                                          unsigned long long *istart, unsigned long long *iend) {
  begin_ull(ncounts, counts, NTH_SCHED_RUNTIME, 0, 0, 0);
  return nth_abi_first_ull(istart, iend);
}

bool GOMP_loop_ull_doacross_start(unsigned ncounts, unsigned long long *counts, long sched,
                                  unsigned long long chunk, unsigned long long *istart,
                                  unsigned long long *iend, uintptr_t *reductions, void **mem) {
  begin_ull(ncounts, counts, (uint32_t)sched, chunk, reductions, mem);
  return nth_abi_first_ull(istart, iend);
}

static void post(const uint64_t *iteration) {
  struct nth_member *m = nth_member_get();
  if (nth_tool_on())
    nth_told_doacross_post(m, iteration);
  else
    nth_doacross_post(m, iteration);
}

static void wait_for(uint64_t first, va_list *rest, const void *ra) {
  struct nth_member *m = nth_member_get();
  if (nth_tool_on())
    nth_told_doacross_wait(m, first, rest, ra);
  else
    nth_doacross_wait(m, first, rest);
}

void GOMP_doacross_post(long *iteration) { post((const uint64_t *)iteration); }

void GOMP_doacross_wait(long first, ...) {
  va_list rest;
  va_start(rest, first);
  wait_for((uint64_t)first, &rest, NTH_SITE());
  va_end(rest);
}

void GOMP_doacross_ull_post(unsigned long long *iteration) { post((const uint64_t *)iteration); }

void GOMP_doacross_ull_wait(unsigned long long first, ...) {
  va_list rest;
  va_start(rest, first);
  wait_for(first, &rest, NTH_SITE());
  va_end(rest);
}
