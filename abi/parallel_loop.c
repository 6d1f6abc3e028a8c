/* parallel_loop.c - parallel constructs combined with a loop
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 17.2. The body begins with the loop's _next entries.
 *
 * GOMP_parallel_loop_*        make a team with a loop and run fn(data) in each member; num_threads
 *                             and flags as in parallel.c; start, end, incr and chunk as in loop.c
 * GOMP_parallel_loop_*_start  for old programs: the caller runs fn(data), then calls
 *                             GOMP_parallel_end
 */
#include "abi_protos.h"

#include "abi/proc_bind.h"
#include "abi/tool.h"
#include "runtime/omp/team/parallel.h"

#define MONOTONIC NTH_SCHED_MONOTONIC

static void loop_args(struct nth_loop_args *a, long start, long end, long incr, uint32_t sched,
                      long chunk) {
  nth_loop_args_long(a, start, end, incr);
  nth_loop_args_sched(a, sched, nth_loop_chunk(chunk));
  a->runtime = false; /* all members have the caller's */
}

void GOMP_parallel_loop_static(void (*fn)(void *), void *data, unsigned num_threads, long start,
                               long end, long incr, long chunk, unsigned flags) {
  struct nth_loop_args a = {0};
  loop_args(&a, start, end, incr, NTH_SCHED_STATIC, chunk);
  NTH_RUN_LOOP(fn, data, num_threads, nth_proc_bind(flags), &a);
}

void GOMP_parallel_loop_dynamic(void (*fn)(void *), void *data, unsigned num_threads, long start,
                                long end, long incr, long chunk, unsigned flags) {
  struct nth_loop_args a = {0};
  loop_args(&a, start, end, incr, NTH_SCHED_DYNAMIC | MONOTONIC, chunk);
  NTH_RUN_LOOP(fn, data, num_threads, nth_proc_bind(flags), &a);
}

void GOMP_parallel_loop_guided(void (*fn)(void *), void *data, unsigned num_threads, long start,
                               long end, long incr, long chunk, unsigned flags) {
  struct nth_loop_args a = {0};
  loop_args(&a, start, end, incr, NTH_SCHED_GUIDED | MONOTONIC, chunk);
  NTH_RUN_LOOP(fn, data, num_threads, nth_proc_bind(flags), &a);
}

void GOMP_parallel_loop_nonmonotonic_dynamic(void (*fn)(void *), void *data, unsigned num_threads,
                                             long start, long end, long incr, long chunk,
                                             unsigned flags) {
  struct nth_loop_args a = {0};
  loop_args(&a, start, end, incr, NTH_SCHED_DYNAMIC, chunk);
  NTH_RUN_LOOP(fn, data, num_threads, nth_proc_bind(flags), &a);
}

void GOMP_parallel_loop_nonmonotonic_guided(void (*fn)(void *), void *data, unsigned num_threads,
                                            long start, long end, long incr, long chunk,
                                            unsigned flags) {
  struct nth_loop_args a = {0};
  loop_args(&a, start, end, incr, NTH_SCHED_GUIDED, chunk);
  NTH_RUN_LOOP(fn, data, num_threads, nth_proc_bind(flags), &a);
}

void GOMP_parallel_loop_runtime(void (*fn)(void *), void *data, unsigned num_threads, long start,
                                long end, long incr, unsigned flags) {
  struct nth_loop_args a = {0};
  loop_args(&a, start, end, incr, NTH_SCHED_RUNTIME, 0);
  NTH_RUN_LOOP(fn, data, num_threads, nth_proc_bind(flags), &a);
}

void GOMP_parallel_loop_nonmonotonic_runtime(void (*fn)(void *), void *data, unsigned num_threads,
                                             long start, long end, long incr, unsigned flags) {
  struct nth_loop_args a = {0};
  loop_args(&a, start, end, incr, NTH_SCHED_RUNTIME_NONMONOTONIC, 0);
  NTH_RUN_LOOP(fn, data, num_threads, nth_proc_bind(flags), &a);
}

void GOMP_parallel_loop_maybe_nonmonotonic_runtime(void (*fn)(void *), void *data,
                                                   unsigned num_threads, long start, long end,
                                                   long incr, unsigned flags) {
  struct nth_loop_args a = {0};
  loop_args(&a, start, end, incr, NTH_SCHED_RUNTIME_NONMONOTONIC, 0);
  NTH_RUN_LOOP(fn, data, num_threads, nth_proc_bind(flags), &a);
}

void GOMP_parallel_loop_static_start(void (*fn)(void *), void *data, unsigned num_threads,
                                     long start, long end, long incr, long chunk) {
  struct nth_loop_args a = {0};
  loop_args(&a, start, end, incr, NTH_SCHED_STATIC, chunk);
  NTH_OPEN_LOOP(fn, data, num_threads, &a);
}

void GOMP_parallel_loop_dynamic_start(void (*fn)(void *), void *data, unsigned num_threads,
                                      long start, long end, long incr, long chunk) {
  struct nth_loop_args a = {0};
  loop_args(&a, start, end, incr, NTH_SCHED_DYNAMIC | MONOTONIC, chunk);
  NTH_OPEN_LOOP(fn, data, num_threads, &a);
}

void GOMP_parallel_loop_guided_start(void (*fn)(void *), void *data, unsigned num_threads,
                                     long start, long end, long incr, long chunk) {
  struct nth_loop_args a = {0};
  loop_args(&a, start, end, incr, NTH_SCHED_GUIDED | MONOTONIC, chunk);
  NTH_OPEN_LOOP(fn, data, num_threads, &a);
}

void GOMP_parallel_loop_runtime_start(void (*fn)(void *), void *data, unsigned num_threads,
                                      long start, long end, long incr) {
  struct nth_loop_args a = {0};
  loop_args(&a, start, end, incr, NTH_SCHED_RUNTIME, 0);
  NTH_OPEN_LOOP(fn, data, num_threads, &a);
}
