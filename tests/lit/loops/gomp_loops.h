/* gomp_loops.h - prototypes of the compiler's loop entries (facts of the GOMP_ ABI) */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GOMP_LOOPS_H
#define GOMP_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

typedef unsigned long long gomp_ull;
typedef bool gomp_next(long *, long *);
typedef bool gomp_ull_next(gomp_ull *, gomp_ull *);
/* start, end, increment, chunk, *istart, *iend */
typedef bool gomp_start(long, long, long, long, long *, long *);
typedef bool gomp_start_runtime(long, long, long, long *, long *);
/* up, start, end, increment, chunk, *istart, *iend */
typedef bool gomp_ull_start(bool, gomp_ull, gomp_ull, gomp_ull, gomp_ull, gomp_ull *, gomp_ull *);
typedef bool gomp_ull_start_runtime(bool, gomp_ull, gomp_ull, gomp_ull, gomp_ull *, gomp_ull *);

gomp_start GOMP_loop_static_start, GOMP_loop_dynamic_start, GOMP_loop_guided_start,
    GOMP_loop_nonmonotonic_dynamic_start, GOMP_loop_nonmonotonic_guided_start,
    GOMP_loop_ordered_static_start, GOMP_loop_ordered_dynamic_start, GOMP_loop_ordered_guided_start;
gomp_start_runtime GOMP_loop_runtime_start, GOMP_loop_nonmonotonic_runtime_start,
    GOMP_loop_maybe_nonmonotonic_runtime_start, GOMP_loop_ordered_runtime_start;
gomp_next GOMP_loop_static_next, GOMP_loop_dynamic_next, GOMP_loop_guided_next,
    GOMP_loop_nonmonotonic_dynamic_next, GOMP_loop_nonmonotonic_guided_next,
    GOMP_loop_ordered_static_next, GOMP_loop_ordered_dynamic_next, GOMP_loop_ordered_guided_next,
    GOMP_loop_runtime_next, GOMP_loop_nonmonotonic_runtime_next,
    GOMP_loop_maybe_nonmonotonic_runtime_next, GOMP_loop_ordered_runtime_next;

gomp_ull_start GOMP_loop_ull_static_start, GOMP_loop_ull_dynamic_start, GOMP_loop_ull_guided_start,
    GOMP_loop_ull_nonmonotonic_dynamic_start, GOMP_loop_ull_nonmonotonic_guided_start,
    GOMP_loop_ull_ordered_static_start, GOMP_loop_ull_ordered_dynamic_start,
    GOMP_loop_ull_ordered_guided_start;
gomp_ull_start_runtime GOMP_loop_ull_runtime_start, GOMP_loop_ull_nonmonotonic_runtime_start,
    GOMP_loop_ull_maybe_nonmonotonic_runtime_start, GOMP_loop_ull_ordered_runtime_start;
gomp_ull_next GOMP_loop_ull_static_next, GOMP_loop_ull_dynamic_next, GOMP_loop_ull_guided_next,
    GOMP_loop_ull_nonmonotonic_dynamic_next, GOMP_loop_ull_nonmonotonic_guided_next,
    GOMP_loop_ull_ordered_static_next, GOMP_loop_ull_ordered_dynamic_next,
    GOMP_loop_ull_ordered_guided_next, GOMP_loop_ull_runtime_next,
    GOMP_loop_ull_nonmonotonic_runtime_next, GOMP_loop_ull_maybe_nonmonotonic_runtime_next,
    GOMP_loop_ull_ordered_runtime_next;

/* start, end, increment, schedule, chunk, *istart, *iend, reductions, mem */
bool GOMP_loop_start(long, long, long, long, long, long *, long *, uintptr_t *, void **);
bool GOMP_loop_ordered_start(long, long, long, long, long, long *, long *, uintptr_t *, void **);
bool GOMP_loop_ull_start(bool, gomp_ull, gomp_ull, gomp_ull, long, gomp_ull, gomp_ull *, gomp_ull *,
                         uintptr_t *, void **);
bool GOMP_loop_ull_ordered_start(bool, gomp_ull, gomp_ull, gomp_ull, long, gomp_ull, gomp_ull *,
                                 gomp_ull *, uintptr_t *, void **);
void GOMP_loop_end(void);
void GOMP_loop_end_nowait(void);
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);

/* The schedule numbers of GOMP_loop_start and its kind. */
enum {
  GOMP_RUNTIME = 0,
  GOMP_STATIC = 1,
  GOMP_DYNAMIC = 2,
  GOMP_GUIDED = 3,
  GOMP_RUNTIME_NONMONOTONIC = 4
};
#define GOMP_MONOTONIC 0x80000000L

#endif
