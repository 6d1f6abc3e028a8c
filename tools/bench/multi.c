/* multi.c - rows of nested teams, several root threads, and of the whole process.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

#include "bench.h"

/* The outer team stays; each member opens inner regions, empty or with bodies. Per inner region of
 * one member. */
static double run_nested(const struct bench_row *row, long n) {
  int64_t start = INT64_MAX, end = INT64_MAX;
  int outer = row->outer, inner = row->inner;
  long count = 0, turns = bench_body_turns(row);
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(outer) reduction(+ : count) reduction(min : start, end)
  {
#pragma omp barrier
    start = bench_now();
    for (long i = 0; i < n; i++) {
#pragma omp parallel num_threads(inner)
      {
        if (omp_get_thread_num() == inner - 1)
          count++;
        bench_work(turns);
      }
    }
#pragma omp barrier
    end = bench_now();
  }
  bench_check(count == n * outer, row->name, "an inner team was smaller than asked");
  return (double)(end - start);
}

/* Both levels are opened anew each time. */
static double run_nested_both(const struct bench_row *row, long n) {
  int outer = row->outer, inner = row->inner, wrong = 0;
  omp_set_max_active_levels(2);
  int64_t start = bench_now();
  for (long i = 0; i < n; i++) {
#pragma omp parallel num_threads(outer)
    {
      bench_check_size(outer, &wrong);
#pragma omp parallel num_threads(inner)
      bench_check_size(inner, &wrong);
    }
  }
  double took = (double)(bench_now() - start);
  bench_check(!wrong, row->name, "a team was not as large as asked");
  return took;
}

struct root {
  pthread_t thread;
  pthread_barrier_t *gate; /* opened when all roots have their teams */
  long regions;
  int64_t start, end;
};

static void *root_main(void *arg) {
  struct root *root = arg;
#pragma omp parallel
  bench_nothing(); /* the root's team begins to exist */
  pthread_barrier_wait(root->gate);
  root->start = bench_now();
  for (long i = 0; i < root->regions; i++) {
#pragma omp parallel
    bench_nothing();
  }
  root->end = bench_now();
  return NULL;
}

static void start_thread(const struct bench_row *row, pthread_t *thread, void *(*f)(void *),
                         void *arg) {
  bench_check(pthread_create(thread, NULL, f, arg) == 0, row->name, "pthread_create");
}

static double run_roots(const struct bench_row *row, long n) {
  struct root root[8];
  pthread_barrier_t gate;
  int roots = row->outer;
  int64_t start = INT64_MAX, end = 0;
  pthread_barrier_init(&gate, NULL, (unsigned)roots);
  for (int i = 0; i < roots; i++) {
    root[i] = (struct root){.gate = &gate, .regions = n};
    start_thread(row, &root[i].thread, root_main, &root[i]);
  }
  for (int i = 0; i < roots; i++) {
    pthread_join(root[i].thread, NULL);
    start = root[i].start < start ? root[i].start : start;
    end = root[i].end > end ? root[i].end : end;
  }
  pthread_barrier_destroy(&gate);
  return (double)(end - start) / roots;
}

static void *one_region(void *arg) {
#pragma omp parallel
  bench_nothing();
  return arg;
}

static double run_fresh_root(const struct bench_row *row, long n) {
  int64_t start = bench_now();
  for (long i = 0; i < n; i++) {
    pthread_t thread;
    start_thread(row, &thread, one_region, NULL);
    pthread_join(thread, NULL);
  }
  return (double)(bench_now() - start);
}

static void sleep_until(int64_t at) {
  struct timespec t = {.tv_sec = at / 1000000000, .tv_nsec = at % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {}
}

/* CPU time that idle members burn while the program sleeps. */
static double run_idle_cpu(const struct bench_row *row, long n) {
  double burnt = 0;
  for (long i = 0; i < n; i++) {
    bench_check_team(row->name);
    double before = bench_cpu_ns();
    sleep_until(bench_now() + 1000000000);
    burnt += bench_cpu_ns() - before;
  }
  return burnt;
}

static double run_periodic_cpu(const struct bench_row *row, long n) {
  double burnt = 0;
  for (long i = 0; i < n; i++) {
    one_region(NULL);
    double before = bench_cpu_ns();
    int64_t next = bench_now(), end = next + row->outer * (int64_t)row->gap_us * 1000;
    while (next < end) {
      one_region(NULL);
      next += (int64_t)row->gap_us * 1000;
      sleep_until(next);
    }
    burnt += bench_cpu_ns() - before;
  }
  return burnt;
}

/* 400 regions of 0.5 ms work shared by the members; wall time of all. */
static double run_beside_busy(const struct bench_row *row, long n) {
  long turns = bench_turns(500.0 / bench_members());
  (void)row;
  one_region(NULL);
  int64_t start = bench_now();
  for (long k = 0; k < n; k++)
    for (int i = 0; i < 400; i++) {
#pragma omp parallel
      bench_work(turns);
    }
  return (double)(bench_now() - start);
}

/* The moment from which on the rounds of a process count, when it has come. */
static int64_t rounds_begin(void) {
  if (!bench_start_at)
    return bench_now();
  sleep_until(bench_start_at);
  return bench_start_at;
}

/* One of several processes: 1000 rounds of 5 us work and a barrier. */
static double run_pair(const struct bench_row *row, long n) {
  long turns = bench_turns(5);
  if (!row->outer)
    one_region(NULL);
  int64_t start = rounds_begin();
#pragma omp parallel
  for (long k = 0; k < n * 1000; k++) {
    bench_work(turns);
#pragma omp barrier
  }
  return (double)(bench_now() - start);
}

/* The same with a region a round. */
static double run_pair_region(const struct bench_row *row, long n) {
  long turns = bench_turns(5);
  if (!row->outer)
    one_region(NULL);
  int64_t start = rounds_begin();
  for (long k = 0; k < n * 1000; k++) {
#pragma omp parallel
    bench_work(turns);
  }
  return (double)(bench_now() - start);
}

#define WITH_WORK "inner region in an open team, with work of each inner member"
const struct bench_row bench_multi_rows[] = {
    {"nested-1x2", run_nested, "inner region of 2 in an open team of 1", .outer = 1, .inner = 2},
    {"nested-2x1", run_nested, "inner region of 1 in an open team of 2", .outer = 2, .inner = 1},
    {"nested-2x2", run_nested, "inner region of 2 in an open team of 2", .outer = 2, .inner = 2},
    {"nested-2x4", run_nested, "inner region of 4 in an open team of 2", .outer = 2, .inner = 4},
    {"nested-4x4", run_nested, "inner region of 4 in an open team of 4", .outer = 4, .inner = 4},
    {"nested-2x2-body-10us", run_nested, WITH_WORK, .outer = 2, .inner = 2, .body_us = 10},
    {"nested-2x2-body-100us", run_nested, WITH_WORK, .outer = 2, .inner = 2, .body_us = 100},
    {"nested-2x2-body-1ms", run_nested, WITH_WORK, .outer = 2, .inner = 2, .body_us = 1000},
    {"nested-2x4-body-10us", run_nested, WITH_WORK, .outer = 2, .inner = 4, .body_us = 10},
    {"nested-2x4-body-100us", run_nested, WITH_WORK, .outer = 2, .inner = 4, .body_us = 100},
    {"nested-2x4-body-1ms", run_nested, WITH_WORK, .outer = 2, .inner = 4, .body_us = 1000},
    {"nested-4x4-body-10us", run_nested, WITH_WORK, .outer = 4, .inner = 4, .body_us = 10},
    {"nested-4x4-body-100us", run_nested, WITH_WORK, .outer = 4, .inner = 4, .body_us = 100},
    {"nested-4x4-body-1ms", run_nested, WITH_WORK, .outer = 4, .inner = 4, .body_us = 1000},
    {"nested-both-2x4", run_nested_both, "region of 2, in each member a region of 4", .outer = 2,
     .inner = 4},
    {"roots-2", run_roots, "2 root threads open regions, per region of any", .outer = 2},
    {"roots-8", run_roots, "8 root threads open regions, per region of any", .outer = 8},
    {"fresh-root", run_fresh_root, "fresh pthread, one region, join", .pick = PICK_BEST},
    {"idle-cpu", run_idle_cpu, "CPU time burnt in 1 s of sleep after a region", .fixed = 1,
     .batches = 1},
    {"periodic-cpu", run_periodic_cpu, "CPU time burnt in 0.5 s, a region each 5 ms", .fixed = 1,
     .batches = 1, .gap_us = 5000, .outer = 100},
    {"periodic-cpu-20ms", run_periodic_cpu, "CPU time burnt in 1 s, a region each 20 ms",
     .fixed = 1, .batches = 1, .gap_us = 20000, .outer = 50},
    {"periodic-cpu-100ms", run_periodic_cpu, "CPU time burnt in 2 s, a region each 100 ms",
     .fixed = 1, .batches = 1, .gap_us = 100000, .outer = 20},
    {"beside-busy", run_beside_busy, "400 regions of 0.5 ms work, wall time", .fixed = 1,
     .batches = 1},
    {"pair", run_pair, "1000 rounds of 5 us work and a barrier, wall time", .fixed = 1,
     .batches = 1},
    {"pair-region", run_pair_region, "1000 regions of 5 us work, wall time", .fixed = 1,
     .batches = 1},
    {"pair-first", run_pair, "as pair, in the process's first region", .outer = 1, .fixed = 1,
     .batches = 1},
    {"pair-region-first", run_pair_region, "as pair-region, with the process's first region",
     .outer = 1, .fixed = 1, .batches = 1},
    {"pair-long", run_pair, "7000 rounds of 5 us work and a barrier, per 1000", .fixed = 7,
     .batches = 1},
    {"pair-region-long", run_pair_region, "7000 regions of 5 us work, per 1000", .fixed = 7,
     .batches = 1},
    {.name = NULL},
};
