/* nano.c - rows of nano-threads: nanogomp/nth.h, one by one and in batches of 8.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * No other runtime has them: the peer of a row is another row. The functions are weak, so that the
 * program still loads on the others; there these rows end with status 77.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "nanogomp/nth.h"

#pragma weak nth_init
#pragma weak nth_processor
#pragma weak nth_processors
#pragma weak nth_self
#pragma weak nth_create_ls
#pragma weak nth_depadd
#pragma weak nth_to_lrq
#pragma weak nth_block
#pragma weak nth_batch_get_desc
#pragma weak nth_batch_create_ls
#pragma weak nth_batch_get_next
#pragma weak nth_batch_to_lrq

enum { OF = 8, BATCHES = 16, TOGETHER = OF * BATCHES, CHAIN = 64 };

static void processors(void) {
  if (!nth_init) {
    fprintf(stderr, "nthbench-micro: this runtime has no nano-threads\n");
    exit(77);
  }
  if (nth_processors() == 0 && nth_init(bench_members()) != 0)
    exit(77);
}

static void nothing(void) { bench_nothing(); }

static struct nth_desc *make_batch(struct nth_desc *me, struct nth_desc **last) {
  struct nth_desc *first = nth_batch_get_desc(last, OF);
  for (struct nth_desc *d = first; d; d = nth_batch_get_next(d))
    nth_batch_create_ls(d, nothing, 0, me, 0);
  return first;
}

/* In pieces that the caches can hold, of whole batches. */
static double run_in_pieces(const struct bench_row *row, long n,
                            double (*run)(struct nth_desc *me, long n)) {
  double ns = 0;
  long most = 64 * TOGETHER, done = 0;
  processors();
  struct nth_desc *me = nth_self();
  while (done < n) {
    long left = n - done, piece = left < most ? (left + TOGETHER - 1) / TOGETHER * TOGETHER : most;
    bench_check(nth_depadd(me, piece + 1) == 0, row->name, "nth_depadd");
    ns += run(me, piece);
    done += piece;
  }
  return ns * (double)n / (double)done;
}

/* Creating, queueing, starting and awaiting them. */
static double all(struct nth_desc *me, long n) {
  int p = nth_processors();
  int64_t start = bench_now();
  for (long i = 0; i < n; i++)
    nth_to_lrq((int)(i % p), nth_create_ls(nothing, 0, me, 0));
  nth_block();
  return (double)(bench_now() - start);
}

static double all_batches(struct nth_desc *me, long n) {
  int p = nth_processors();
  int64_t start = bench_now();
  for (long i = 0; i < n; i += OF) {
    struct nth_desc *last, *first = make_batch(me, &last);
    nth_batch_to_lrq((int)(i / OF % p), first, last);
  }
  nth_block();
  return (double)(bench_now() - start);
}

/* Queueing alone, of some that were created before. */
static double enqueue(struct nth_desc *me, long n) {
  struct nth_desc *made[TOGETHER];
  int p = nth_processors();
  int64_t ns = 0;
  for (long i = 0; i < n; i += TOGETHER) {
    for (int j = 0; j < TOGETHER; j++)
      made[j] = nth_create_ls(nothing, 0, me, 0);
    int64_t start = bench_now();
    for (int j = 0; j < TOGETHER; j++)
      nth_to_lrq(j % p, made[j]);
    ns += bench_now() - start;
  }
  nth_block();
  return (double)ns;
}

static double enqueue_batches(struct nth_desc *me, long n) {
  struct nth_desc *first[BATCHES], *last[BATCHES];
  int p = nth_processors();
  int64_t ns = 0;
  for (long i = 0; i < n; i += TOGETHER) {
    for (int j = 0; j < BATCHES; j++)
      first[j] = make_batch(me, &last[j]);
    int64_t start = bench_now();
    for (int j = 0; j < BATCHES; j++)
      nth_batch_to_lrq(j % p, first[j], last[j]);
    ns += bench_now() - start;
  }
  nth_block();
  return (double)ns;
}

/* Each waits for the next one: so many stacks at a time, from the pools and back. */
static void chain(long left) {
  struct nth_desc *me = nth_self();
  if (left == 0)
    return;
  nth_depadd(me, 2);
  nth_to_lrq(nth_processor(), nth_create_ls(chain, 0, me, 1, left - 1));
  nth_block();
}

static double run_block(const struct bench_row *row, long n) {
  (void)row;
  processors();
  long done = 0;
  int64_t start = bench_now();
  for (; done < n; done += CHAIN)
    chain(CHAIN);
  return (double)(bench_now() - start) * (double)n / (double)done;
}

static double run_empty(const struct bench_row *row, long n) { return run_in_pieces(row, n, all); }
static double run_empty_batch(const struct bench_row *row, long n) {
  return run_in_pieces(row, n, all_batches);
}
static double run_enqueue(const struct bench_row *row, long n) {
  return run_in_pieces(row, n, enqueue);
}
static double run_enqueue_batch(const struct bench_row *row, long n) {
  return run_in_pieces(row, n, enqueue_batches);
}

/* --- beside OpenMP: the same work in one of the two, and in both --- */

enum { CHILDREN = 8 };
#define BODY_US 10.0

static long body_turns;

static void body(void) { bench_work(body_turns); }

static void region(void) {
#pragma omp parallel
  body();
}

/* Each a region, opened by nano-threads. */
static double run_regions(const struct bench_row *row, long n) {
  processors();
  body_turns = bench_turns(BODY_US);
  struct nth_desc *me = nth_self();
  int p = nth_processors();
  int64_t start = bench_now();
  bench_check(nth_depadd(me, n + 1) == 0, row->name, "nth_depadd");
  for (long i = 0; i < n; i++)
    nth_to_lrq((int)(i % p), nth_create_ls(region, 0, me, 0));
  nth_block();
  return (double)(bench_now() - start);
}

/* The same by main alone. */
static double run_regions_alone(const struct bench_row *row, long n) {
  (void)row;
  processors();
  body_turns = bench_turns(BODY_US);
  int64_t start = bench_now();
  for (long i = 0; i < n; i++)
    region();
  return (double)(bench_now() - start);
}

static void children_nano(void) {
  struct nth_desc *me = nth_self();
  int p = nth_processors();
  nth_depadd(me, CHILDREN + 1);
  for (int i = 0; i < CHILDREN; i++)
    nth_to_lrq(i % p, nth_create_ls(body, 0, me, 0));
  nth_block();
}

static void children_tasks(void) {
  for (int i = 0; i < CHILDREN; i++) {
#pragma omp task
    body();
  }
#pragma omp taskwait
}

static double in_tasks(void (*children)(void), long n) {
  processors();
  body_turns = bench_turns(BODY_US);
  int64_t start = bench_now();
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n; i += CHILDREN) {
#pragma omp task
    children();
  }
  return (double)(bench_now() - start);
}

/* Tasks that make nano-threads and wait for them; tasks that make tasks. */
static double run_in_tasks(const struct bench_row *row, long n) {
  (void)row;
  return in_tasks(children_nano, n);
}
static double run_in_tasks_alone(const struct bench_row *row, long n) {
  (void)row;
  return in_tasks(children_tasks, n);
}

const struct bench_row bench_nano_rows[] = {
    {"nth-empty", run_empty, "empty nano-thread, one by one", .pick = PICK_MIDDLE},
    {"nth-empty-batch", run_empty_batch, "empty nano-thread, in batches of 8", .pick = PICK_MIDDLE},
    {"nth-enqueue", run_enqueue, "nth_to_lrq()", .pick = PICK_MIDDLE},
    {"nth-enqueue-batch", run_enqueue_batch, "nth_batch_to_lrq() of 8, per nano-thread",
     .pick = PICK_MIDDLE},
    {"nth-block", run_block, "nth_block(), 64 one within the other", .pick = PICK_MIDDLE},
    {"mixed-nth-region", run_regions, "region of bodies of 10 us in a nano-thread",
     .pick = PICK_MIDDLE},
    {"mixed-region", run_regions_alone, "the same region opened by main", .pick = PICK_MIDDLE},
    {"mixed-task-nth", run_in_tasks, "nano-thread of 10 us, 8 made and awaited by a task",
     .pick = PICK_MIDDLE},
    {"mixed-task", run_in_tasks_alone, "the same with tasks in place of nano-threads",
     .pick = PICK_MIDDLE},
    {.name = NULL},
};
