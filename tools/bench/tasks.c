/* tasks.c - rows of explicit tasks: creation, bodies, waits, dependences, fib without cut-off.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rows with one producer make the tasks in a single construct; the other members are in its
 * barrier, where they may take tasks. Time is wall time per task, until the last one has run.
 */
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "bench.h"

#define SIDE 80 /* of the wavefront */

static void empty_tasks(long n, void *unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
#pragma omp task
    bench_nothing();
  }
}

static double run_empty_one(const struct bench_row *row, long n) {
  (void)row;
  return bench_by_one(empty_tasks, n, NULL).ns;
}

static double run_empty_all(const struct bench_row *row, long n) {
  (void)row;
  struct bench_span span = bench_by_all(empty_tasks, n, NULL);
  return span.ns / span.members;
}

static void body_tasks(long n, void *arg) {
  long turns = *(long *)arg;
  for (long i = 0; i < n; i++) {
#pragma omp task firstprivate(turns)
    bench_work(turns);
  }
}

static double run_body(const struct bench_row *row, long n) {
  long turns = bench_turns(row->task_us);
  return bench_by_one(body_tasks, n, &turns).ns;
}

/* If a wait let its task go, two tasks would count at once, or none before the end. */
static void awaited_tasks(long n, void *wrong) {
  long done = 0;
  for (long i = 0; i < n; i++) {
#pragma omp task shared(done)
    done++;
#pragma omp taskwait
    *(long *)wrong += done != i + 1;
  }
}

static void grouped_tasks(long n, void *wrong) {
  long done = 0;
  for (long i = 0; i < n; i++) {
#pragma omp taskgroup
    {
#pragma omp task shared(done)
      done++;
    }
    *(long *)wrong += done != i + 1;
  }
}

static double run_taskwait(const struct bench_row *row, long n) {
  long wrong = 0;
  double ns = bench_by_one(awaited_tasks, n, &wrong).ns;
  bench_check(wrong == 0, row->name, "went on before its task");
  return ns;
}

static double run_taskgroup(const struct bench_row *row, long n) {
  long wrong = 0;
  double ns = bench_by_one(grouped_tasks, n, &wrong).ns;
  bench_check(wrong == 0, row->name, "went on before its task");
  return ns;
}

/* The same by the master, while the other members do work of their own and look for none. */
static double run_beside(const struct bench_row *row, long n, void (*body)(long, void *)) {
  struct { /* words of each side on lines of their own */
    _Alignas(128) long wrong;
    _Alignas(128) _Atomic(int) over;
    _Alignas(128) char rest;
  } w = {0};
  long turns = bench_turns(0.2);
  int64_t start = 0, end = 0;
#pragma omp parallel
  {
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
      start = bench_now();
      body(n, &w.wrong);
      end = bench_now();
      atomic_store(&w.over, 1);
    } else {
      while (!atomic_load(&w.over))
        bench_work(turns);
    }
  }
  bench_check(w.wrong == 0, row->name, "went on before its task");
  return (double)(end - start);
}

static double run_taskwait_beside(const struct bench_row *row, long n) {
  return run_beside(row, n, awaited_tasks);
}

static double run_taskgroup_beside(const struct bench_row *row, long n) {
  return run_beside(row, n, grouped_tasks);
}

static void short_loops(long n, void *unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
#pragma omp taskloop
    for (long k = 0; k < 64; k++)
      bench_keep(k);
  }
}

static double run_taskloop_short(const struct bench_row *row, long n) {
  (void)row;
  return bench_by_one(short_loops, n, NULL).ns;
}

static void loop_tasks(long n, void *unused) {
  (void)unused;
#pragma omp taskloop grainsize(1)
  for (long i = 0; i < n; i++)
    bench_keep(i);
}

static double run_taskloop(const struct bench_row *row, long n) {
  (void)row;
  return bench_by_one(loop_tasks, n, NULL).ns;
}

static void loop_body_tasks(long n, void *arg) {
  long turns = *(long *)arg;
#pragma omp taskloop grainsize(1)
  for (long i = 0; i < n; i++)
    bench_work(turns);
}

static double run_taskloop_body(const struct bench_row *row, long n) {
  long turns = bench_turns(row->task_us);
  return bench_by_one(loop_body_tasks, n, &turns).ns;
}

/* Regions in which one member makes `outer` tasks for each member. inner 1: as many tasks as there
 * are members meet in a barrier of the C library. */
static double run_region_tasks(const struct bench_row *row, long n) {
  long turns = bench_turns(row->task_us);
  int size = bench_members();
  bool meet = row->inner == 1;
  pthread_barrier_t barrier;
  bench_check_team(row->name);
  bench_check(pthread_barrier_init(&barrier, NULL, (unsigned)size) == 0, row->name, "barrier");
  int64_t start = bench_now();
  for (long i = 0; i < n; i++) {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1)
    for (int k = 0; k < size * row->outer; k++) {
      bench_work(turns);
      if (meet)
        pthread_barrier_wait(&barrier);
    }
  }
  double took = (double)(bench_now() - start);
  pthread_barrier_destroy(&barrier);
  return took;
}

struct chains {
  long links[4];
  int count;
};

static void chained_tasks(long n, void *arg) {
  struct chains *chains = arg;
  for (long i = 0; i < n; i++) {
    long *link = &chains->links[i % chains->count];
#pragma omp task firstprivate(link) depend(inout : link[0])
    ++*link;
  }
}

static double run_chains(const struct bench_row *row, long n) {
  struct chains chains = {.links = {0}, .count = row->outer};
  double ns = bench_by_one(chained_tasks, n, &chains).ns;
  long sum = chains.links[0] + chains.links[1] + chains.links[2] + chains.links[3];
  bench_check(sum == n, row->name, "chained additions");
  return ns;
}

/* Cell (i,j) follows its upper and left neighbours; its value is their larger one plus 1. */
static int cell[SIDE + 1][SIDE + 1];

static void compute_cell(long i, long j, long turns) {
  int up = cell[i - 1][j], left = cell[i][j - 1];
  bench_work(turns);
  cell[i][j] = (up > left ? up : left) + 1;
}

static void wavefront(long n, void *arg) {
  long turns = *(long *)arg;
  for (long i = 1; i <= n; i++)
    for (long j = 1; j <= n; j++) {
#pragma omp task firstprivate(i, j, turns) depend(in : cell[i - 1][j], cell[i][j - 1])             \
    depend(out : cell[i][j])
      compute_cell(i, j, turns);
    }
#pragma omp taskwait
}

static void wavefront_serial(long n, void *arg) {
  long turns = *(long *)arg;
  for (long i = 1; i <= n; i++)
    for (long j = 1; j <= n; j++)
      compute_cell(i, j, turns);
}

static double run_cells(const struct bench_row *row, long n, void (*body)(long, void *)) {
  long turns = bench_turns(row->task_us);
  double ns = 0;
  for (long i = 0; i < n; i++) {
    memset(cell, 0, sizeof cell); /* else the last run's values would hide a wrong order */
    ns += bench_by_one(body, SIDE, &turns).ns;
    bench_check(cell[SIDE][SIDE] == 2 * SIDE - 1, row->name, "order of the cells");
  }
  return ns / (SIDE * SIDE);
}

static double run_wavefront(const struct bench_row *row, long n) {
  return run_cells(row, n, wavefront);
}

static double run_wavefront_serial(const struct bench_row *row, long n) {
  return run_cells(row, n, wavefront_serial);
}

/* One task a call; the second half is the caller's own. */
static long fib(long k) {
  long x = 0, y = 0;
  if (k < 2)
    return k;
#pragma omp task shared(x) firstprivate(k)
  x = fib(k - 1);
  y = fib(k - 2);
#pragma omp taskwait
  return x + y;
}

static void fib_task(long k, void *arg) { *(long *)arg = fib(k); }

static double run_fib(const struct bench_row *row, long n) {
  double ns = 0;
  for (long i = 0; i < n; i++) {
    long value = 0;
    ns += bench_by_one(fib_task, 27, &value).ns;
    bench_check(value == 196418, row->name, "fib(27)");
  }
  return ns;
}

/* A member that lost its CPU leaves the queues to one thread, which is then faster: the median. */
const struct bench_row bench_task_rows[] = {
    {"task-empty-one", run_empty_one, "empty task, one producer", .pick = PICK_MIDDLE},
    {"task-empty-all", run_empty_all, "empty task, all produce", .pick = PICK_MIDDLE},
    {"task-0.9us", run_body, "task of 0.9 us, one producer", .pick = PICK_BEST, .task_us = 0.9},
    {"task-taskwait", run_taskwait, "task; taskwait", .pick = PICK_MIDDLE},
    {"taskgroup-one", run_taskgroup, "taskgroup of one task", .pick = PICK_MIDDLE},
    {"task-taskwait-beside", run_taskwait_beside, "task; taskwait, beside members at work",
     .pick = PICK_MIDDLE},
    {"taskgroup-beside", run_taskgroup_beside, "taskgroup of one task, beside members at work",
     .pick = PICK_MIDDLE},
    {"taskloop-64", run_taskloop_short, "taskloop of 64 small iterations", .pick = PICK_MIDDLE},
    {"taskloop-1", run_taskloop, "taskloop of 1e6 with grainsize(1), per iteration",
     .pick = PICK_MIDDLE, .fixed = 1000000, .batches = 3},
    {"taskloop-1us", run_taskloop_body, "the same with 1 us of work in an iteration",
     .pick = PICK_MIDDLE, .fixed = 1000000, .batches = 1, .task_us = 1},
    {"region-tasks-10us", run_region_tasks, "region with a task of 10 us for each member",
     .pick = PICK_MIDDLE, .task_us = 10, .outer = 1},
    {"region-tasks-1us", run_region_tasks, "region with eight tasks of 1 us for each member",
     .pick = PICK_MIDDLE, .task_us = 1, .outer = 8},
    {"region-tasks-meet", run_region_tasks, "region whose tasks meet in a pthread_barrier",
     .pick = PICK_MIDDLE, .task_us = 1, .outer = 1, .inner = 1},
    {"depend-chain", run_chains, "chain of depend(inout) tasks, per task", .pick = PICK_MIDDLE,
     .outer = 1},
    {"depend-chains-4", run_chains, "four chains of depend(inout) tasks, per task",
     .pick = PICK_MIDDLE, .outer = 4},
    {"wavefront-80", run_wavefront, "80x80 wavefront of 0.9 us tasks, per task", .pick = PICK_BEST,
     .fixed = 1, .task_us = 0.9},
    {"wavefront-serial", run_wavefront_serial, "its cells without tasks, per cell",
     .pick = PICK_BEST, .fixed = 1, .task_us = 0.9},
    {"fib-27", run_fib, "fib(27) of tasks, no cut-off", .pick = PICK_MIDDLE, .fixed = 1},
    {.name = NULL},
};
