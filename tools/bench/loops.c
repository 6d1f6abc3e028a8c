/* loops.c - rows of worksharing loops, per iteration, and of chains of nowait loops.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Bodies add the iteration number to a private sum that the compiler must not fold; the sums are
 * checked. There is one function a schedule, for the compiler calls other entries for each.
 */
#include <omp.h>

#include "bench.h"

static long total;       /* w: members, atomic, at the end of their part */
static long next, wrong; /* w, r: ordered regions */
static long others;      /* iterations of other members; w: members, atomic, as total */

static void add_to_total(long mine) {
#pragma omp atomic
  total += mine;
}

static void loop_dynamic(long n, void *unused) {
  (void)unused;
  long mine = 0;
#pragma omp for schedule(dynamic, 1)
  for (long i = 0; i < n; i++) {
    bench_keep(i);
    mine += i;
  }
  add_to_total(mine);
}

static void loop_dynamic_monotonic(long n, void *unused) {
  (void)unused;
  long mine = 0;
#pragma omp for schedule(monotonic : dynamic, 1)
  for (long i = 0; i < n; i++) {
    bench_keep(i);
    mine += i;
  }
  add_to_total(mine);
}

static void loop_dynamic_16(long n, void *unused) {
  (void)unused;
  long mine = 0;
#pragma omp for schedule(dynamic, 16)
  for (long i = 0; i < n; i++) {
    bench_keep(i);
    mine += i;
  }
  add_to_total(mine);
}

static void loop_guided(long n, void *unused) {
  (void)unused;
  long mine = 0;
#pragma omp for schedule(guided)
  for (long i = 0; i < n; i++) {
    bench_keep(i);
    mine += i;
  }
  add_to_total(mine);
}

static void loop_runtime(long n, void *unused) {
  (void)unused;
  long mine = 0;
#pragma omp for schedule(runtime)
  for (long i = 0; i < n; i++) {
    bench_keep(i);
    mine += i;
  }
  add_to_total(mine);
}

static void loop_static(long n, void *unused) {
  (void)unused;
  long mine = 0;
#pragma omp for schedule(static)
  for (long i = 0; i < n; i++) {
    bench_keep(i);
    mine += i;
  }
  add_to_total(mine);
}

static double one_loop(const struct bench_row *row, void (*loop)(long, void *), long n) {
  total = 0;
  double ns = bench_by_all(loop, n, NULL).ns;
  bench_check(total == n * (n - 1) / 2, row->name, "each iteration once");
  return ns;
}

static double run_dynamic(const struct bench_row *row, long n) {
  return one_loop(row, loop_dynamic, n);
}

static double run_dynamic_monotonic(const struct bench_row *row, long n) {
  return one_loop(row, loop_dynamic_monotonic, n);
}

static double run_dynamic_16(const struct bench_row *row, long n) {
  return one_loop(row, loop_dynamic_16, n);
}

static double run_guided(const struct bench_row *row, long n) {
  return one_loop(row, loop_guided, n);
}

static double run_runtime(const struct bench_row *row, long n) {
  return one_loop(row, loop_runtime, n);
}

static double run_static(const struct bench_row *row, long n) {
  return one_loop(row, loop_static, n);
}

/* Each member must get the iterations that the schedule gives it: a runtime that gives it a block
 * of them hardly ever hands over the turn. */
static void loop_ordered(long n, void *unused) {
  (void)unused;
  long team = omp_get_num_threads(), mine = omp_get_thread_num(), strange = 0;
#pragma omp for ordered schedule(static, 1)
  for (long i = 0; i < n; i++) {
    strange += i != mine;
    mine += team;
#pragma omp ordered
    {
      wrong += next != i;
      next = i + 1;
    }
  }
#pragma omp atomic
  others += strange;
}

static void loop_ordered_dynamic(long n, void *unused) {
  (void)unused;
#pragma omp for ordered schedule(dynamic, 1)
  for (long i = 0; i < n; i++) {
#pragma omp ordered
    {
      wrong += next != i;
      next = i + 1;
    }
  }
}

static double one_ordered(const struct bench_row *row, void (*loop)(long, void *), long n) {
  next = wrong = others = 0;
  double ns = bench_by_all(loop, n, NULL).ns;
  bench_check(next == n && !wrong, row->name, "order");
  bench_check(!others, row->name, "schedule(static,1)");
  return ns;
}

static double run_ordered(const struct bench_row *row, long n) {
  return one_ordered(row, loop_ordered, n);
}

static double run_ordered_dynamic(const struct bench_row *row, long n) {
  return one_ordered(row, loop_ordered_dynamic, n);
}

/* n loops with no barrier between them: a member may be many loops ahead of another. */
static void nowait_loops(long n, void *unused) {
  (void)unused;
  long mine = 0;
  for (long k = 0; k < n; k++) {
#pragma omp for schedule(dynamic, 4) nowait
    for (int i = 0; i < 32; i++) {
      bench_keep(i);
      mine++;
    }
  }
  add_to_total(mine);
}

/* A static loop needs the runtime for its barrier only. */
static void short_static_loops(long n, void *unused) {
  (void)unused;
  long mine = 0;
  for (long k = 0; k < n; k++) {
#pragma omp for schedule(static)
    for (int i = 0; i < 32; i++) {
      bench_keep(i);
      mine++;
    }
  }
  add_to_total(mine);
}

static double many_loops(const struct bench_row *row, void (*loops)(long, void *), long n) {
  total = 0;
  double ns = bench_by_all(loops, n, NULL).ns;
  bench_check(total == 32 * n, row->name, "each iteration once");
  return ns;
}

static double run_nowait_chain(const struct bench_row *row, long n) {
  return many_loops(row, nowait_loops, n);
}

static double run_static_short(const struct bench_row *row, long n) {
  return many_loops(row, short_static_loops, n);
}

/* With one member away the others meet no contention, hence the median. */
const struct bench_row bench_loop_rows[] = {
    {"dynamic-1", run_dynamic, "schedule(dynamic,1), per iteration", .pick = PICK_MIDDLE},
    {"dynamic-1-monotonic", run_dynamic_monotonic, "schedule(monotonic:dynamic,1), per iteration",
     .pick = PICK_MIDDLE},
    {"dynamic-16", run_dynamic_16, "schedule(dynamic,16), per iteration", .pick = PICK_MIDDLE},
    {"guided", run_guided, "schedule(guided), per iteration", .pick = PICK_MIDDLE},
    {"runtime", run_runtime,
     "schedule(runtime) by default (libomp, libiomp5: static), per iteration", .pick = PICK_MIDDLE},
    {"static", run_static, "schedule(static), per iteration", .pick = PICK_MIDDLE},
    {"static-short", run_static_short, "static loop of 32 iterations with its barrier, per loop",
     .pick = PICK_BEST},
    {"nowait-chain", run_nowait_chain, "dynamic,4 nowait loop of 32 iterations, per loop",
     .pick = PICK_MIDDLE},
    {"ordered", run_ordered, "ordered, schedule(static,1), per iteration", .pick = PICK_BEST},
    {"ordered-dynamic", run_ordered_dynamic, "ordered, schedule(dynamic,1), per iteration",
     .pick = PICK_MIDDLE},
    {.name = NULL},
};
