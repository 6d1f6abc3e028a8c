/* micro.c - nthbench-micro: harness of the micro rows, prints `row value_ns`.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * nthbench-micro [--at NS] [--turns T] ROW...   a line each; `ROW.speedup x` after rows with bodies
 *                                               T: turns of the work in a microsecond, else found
 * nthbench-micro --calibrate                    prints `turns T`
 * nthbench-micro --list                         the rows and what they measure
 */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "bench.h"

#define BATCH_NS 5e6   /* longer than a scheduler's slice of 4 ms: one lost slice is seen as such */
#define WARM_NS 10e6   /* the team starts, page faults and clock ramps are over */
#define SEARCH_NS 1e9  /* the search for a batch ends here whatever it found */
#define ROW_NS 80e6    /* all batches of a row */
#define SLOW_NS 400e6  /* a row this slow is content with MIN_SLOW batches */
#define GIVE_UP_NS 2e9 /* so is one with a fixed number of batches */
#define LONG_NS 100e6  /* the search met no contention, this batch does: go on with smaller ones */
#define MIN_BATCHES 5
#define MIN_SLOW 2
#define MAX_BATCHES 64
#define MAX_OPS 100000000L

int64_t bench_start_at;
/* Found once, before any team; --turns makes it the same for several processes. w: main; r: all */
static double turns_per_us;

double bench_cpu_ns(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e9 +
         (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e3;
}

int bench_members(void) { return omp_get_max_threads(); }

void bench_check(int holds, const char *row, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "nthbench-micro: %s: wrong answer: %s\n", row, what);
  exit(3);
}

void bench_check_size(int size, int *wrong) {
  if (omp_get_thread_num() == 0 && omp_get_num_threads() != size) {
#pragma omp atomic write
    *wrong = 1;
  }
}

void bench_check_team(const char *row) {
  const char *asked = getenv("OMP_NUM_THREADS");
  int members = 0;
#pragma omp parallel reduction(+ : members)
  members = 1;
  bench_check(members == (asked ? atoi(asked) : bench_members()), row, "size of the team");
}

long bench_turns(double us) {
  long turns = (long)(us * turns_per_us);
  return turns > 0 ? turns : 1;
}

long bench_body_turns(const struct bench_row *row) {
  return row->body_us > 0 ? bench_turns(row->body_us) : 0;
}

double bench_clock_cost(void) {
  double least = 1e9;
  for (int i = 0; i < 1000; i++) {
    int64_t t = bench_now();
    double d = (double)(bench_now() - t);
    if (d < least)
      least = d;
  }
  return least;
}

struct bench_span bench_by_all(void (*body)(long, void *), long n, void *arg) {
  int64_t start = INT64_MAX, end = INT64_MAX;
  int members = 0;
#pragma omp parallel reduction(min : start, end) reduction(+ : members)
  {
    members = 1;
#pragma omp barrier
    start = bench_now();
    body(n, arg);
#pragma omp barrier
    end = bench_now();
  }
  return (struct bench_span){(double)(end - start), members};
}

struct bench_span bench_by_one(void (*body)(long, void *), long n, void *arg) {
  int64_t start = INT64_MAX, end = INT64_MAX;
  int members = 0;
#pragma omp parallel reduction(min : start, end) reduction(+ : members)
  {
    members = 1;
#pragma omp barrier
#pragma omp single
    {
      start = bench_now();
      body(n, arg);
    }
    end = bench_now();
  }
  return (struct bench_span){(double)(end - start), members};
}

static double pick(const struct bench_row *row, double *value, int n) {
  double median = bench_median(value, n); /* sorts: value[0] is the least */
  return row->pick == PICK_BEST ? value[0] : median;
}

/* The row's pick of three tries; one try would let a single lost slice decide. */
static double try_batch(const struct bench_row *row, long n) {
  double took[3];
  for (int i = 0; i < 3; i++)
    took[i] = row->run(row, n);
  return pick(row, took, 3);
}

static void warm_up(const struct bench_row *row) {
  int64_t start = bench_now();
  int calls = 0;
  while (calls < 2 || ((double)(bench_now() - start) < WARM_NS && calls < 1000)) {
    row->run(row, 1);
    calls++;
  }
}

/* Operations that fill a batch. Where a batch of a few operations is long because each batch loses
 * a slice (two spinning members on one CPU), larger batches take no longer: go on growing until
 * time follows the number of operations. */
static long calibrate_batch(const struct bench_row *row) {
  int64_t begin = bench_now();
  long n = 1;
  for (;;) {
    double took = try_batch(row, n);
    if (n >= MAX_OPS || (double)(bench_now() - begin) > SEARCH_NS)
      return n;
    if (took < BATCH_NS / 2) {
      double factor = took > 0 ? BATCH_NS / took : 10;
      n = (long)((double)n * (factor > 10 ? 10 : factor) + 1);
    } else if (row->run(row, 4 * n) < 2 * took) {
      n *= 4;
    } else {
      return n;
    }
  }
}

static int enough(const struct bench_row *row, int batches, double spent) {
  if (batches == MAX_BATCHES)
    return 1;
  if (spent >= GIVE_UP_NS && batches >= MIN_SLOW)
    return 1;
  if (row->batches)
    return batches >= row->batches;
  if (spent >= SLOW_NS)
    return batches >= MIN_SLOW;
  return spent >= ROW_NS && batches >= MIN_BATCHES;
}

static double work_of(const struct bench_row *row) {
  return row->body_us > 0 ? row->body_us : row->task_us;
}

static int bodies_of(const struct bench_row *row) {
  if (row->task_us > 0)
    return 1;
  return row->outer ? row->outer * row->inner : bench_members();
}

/* What an operation's bodies take one after the other. */
static double run_serial(const struct bench_row *row) {
  double us = work_of(row), took[3];
  long turns = bench_turns(us), times = (long)(1000 / us) + 1; /* so that the clock costs nothing */
  for (int i = 0; i < 3; i++) {
    int64_t start = bench_now();
    for (long j = 0; j < times; j++)
      bench_work(turns);
    took[i] = (double)(bench_now() - start) / (double)times * bodies_of(row);
  }
  return pick(row, took, 3);
}

/* Per operation. The serial work of rows with bodies runs between the batches, so that both times
 * are picks of the same moments. */
struct figures {
  double took, serial; /* ns; serial 0 without bodies */
};

static struct figures measure(const struct bench_row *row) {
  double value[MAX_BATCHES], serial[MAX_BATCHES], spent = 0;
  long n = row->fixed;
  int batches = 0;
  if (!n) {
    warm_up(row);
    n = calibrate_batch(row);
  } else if (row->batches != 1) {
    row->run(row, n / 3 + 1);
  }
  while (!enough(row, batches, spent)) {
    int64_t start = bench_now();
    value[batches++] = row->run(row, n) / (double)n;
    double took = (double)(bench_now() - start);
    spent += took;
    serial[batches - 1] = work_of(row) > 0 ? run_serial(row) : 0;
    if (!row->fixed && took > LONG_NS && n > 1)
      n = n / 4 + 1;
  }
  return (struct figures){pick(row, value, batches), pick(row, serial, batches)};
}

static const struct bench_row *const tables[] = {
    bench_region_rows, bench_sync_rows,  bench_loop_rows, bench_balance_rows,
    bench_task_rows,   bench_multi_rows, bench_nano_rows};
#define TABLES (sizeof tables / sizeof *tables)

static const struct bench_row *find_row(const char *name) {
  for (size_t t = 0; t < TABLES; t++)
    for (const struct bench_row *row = tables[t]; row->name; row++)
      if (strcmp(row->name, name) == 0)
        return row;
  return NULL;
}

static void list_rows(void) {
  for (size_t t = 0; t < TABLES; t++)
    for (const struct bench_row *row = tables[t]; row->name; row++)
      printf("%-28s %s\n", row->name, row->what);
}

/* Options into their variables; the index of the first row. */
static int parse_options(int argc, char **argv) {
  int arg = 1;
  for (; arg + 1 < argc; arg += 2) {
    if (strcmp(argv[arg], "--at") == 0)
      bench_start_at = strtoll(argv[arg + 1], NULL, 10);
    else if (strcmp(argv[arg], "--turns") == 0)
      turns_per_us = strtod(argv[arg + 1], NULL);
    else
      break;
  }
  return arg;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--list") == 0) {
    list_rows();
    return 0;
  }
  if (argc == 2 && strcmp(argv[1], "--calibrate") == 0) {
    turns_per_us = bench_turns_per_us();
    printf("turns %.3f\n", turns_per_us);
    return 0;
  }
  int arg = parse_options(argc, argv);
  if (arg >= argc) {
    fprintf(stderr, "usage: nthbench-micro [--at NS] [--turns T] ROW... | --calibrate | --list\n");
    return 2;
  }
  if (!(turns_per_us > 0))
    turns_per_us = bench_turns_per_us();
  for (; arg < argc; arg++) {
    const struct bench_row *row = find_row(argv[arg]);
    if (!row) {
      fprintf(stderr, "nthbench-micro: no row %s (see --list)\n", argv[arg]);
      return 2;
    }
    struct figures found = measure(row);
    printf("%s %.3f\n", row->name, found.took);
    if (found.serial > 0)
      printf("%s.speedup %.3f\n", row->name, found.serial / found.took);
    fflush(stdout);
  }
  return 0;
}
