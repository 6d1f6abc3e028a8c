/* bench.h - what the micro-benchmark's files share: clock, calibrated work, the row table.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A row measures one operation of an OpenMP runtime. Its run() carries out n operations and
 * returns the nanoseconds they took; the harness (micro.c) warms up, finds n so that one batch
 * takes some milliseconds, repeats the batch and prints the pick of the batches.
 *
 * Clock       Rows of what happens inside a region read the clock there (bench_by_all), after a
 *             barrier, so that a batch holds no fork. Each member reads it and the earliest reading
 *             counts, before and after: one that lost its CPU at the barrier begins too late.
 * Pick        PICK_BEST (least) suits an operation that every disturbance makes slower.
 *             PICK_MIDDLE (median) is for contended operations: with the other member taken off
 *             its CPU there is no contention, and the least would measure just that.
 */
#ifndef NTHBENCH_BENCH_H
#define NTHBENCH_BENCH_H

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum bench_pick { PICK_BEST, PICK_MIDDLE };

struct bench_row {
  const char *name;
  double (*run)(const struct bench_row *row, long n); /* ns that n operations took */
  const char *what;                                   /* one line for --list */
  enum bench_pick pick;
  long fixed;     /* operations a batch; 0: calibrated */
  int batches;    /* 0: as many as fill the row's time */
  int gap_us;     /* serial work before each region */
  double body_us; /* work of each member */
  double task_us; /* work of each task or critical section, whoever runs it */
  int outer;      /* outer team, number of root threads, or of periods */
  int inner;      /* inner team */
};

/* Each table ends with a row without a name. */
extern const struct bench_row bench_region_rows[];
extern const struct bench_row bench_sync_rows[];
extern const struct bench_row bench_loop_rows[];
extern const struct bench_row bench_balance_rows[];
extern const struct bench_row bench_task_rows[];
extern const struct bench_row bench_multi_rows[];
extern const struct bench_row bench_nano_rows[];

/* --at: CLOCK_MONOTONIC time in ns when `pair` begins, 0 for at once. w: main; r: rows */
extern int64_t bench_start_at;

static inline int64_t bench_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline int bench_compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Sorts v. */
static inline double bench_median(double *v, int n) {
  qsort(v, (size_t)n, sizeof *v, bench_compare);
  return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* An empty body that the compiler must keep. */
static inline void bench_nothing(void) { __asm__ volatile("" ::: "memory"); }

static inline void bench_keep(long value) { __asm__ volatile("" ::"r"(value) : "memory"); }

/* Dependent multiplications: CPU time, not wall time, so that members which share a CPU have
 * their work to do however long they wait for it. */
static inline void bench_work(long turns) {
  uint64_t x = 1;
  for (long i = 0; i < turns; i++) {
    x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    __asm__ volatile("" : "+r"(x));
  }
}

/* Turns of bench_work() in a microsecond: those of the fastest try, since the others lost time. */
static inline double bench_turns_per_us(void) {
  const long turns = 100000;
  double least = 1e18;
  for (int i = 0; i < 15; i++) {
    int64_t start = bench_now();
    bench_work(turns);
    double took = (double)(bench_now() - start);
    least = took < least ? took : least;
  }
  return (double)turns * 1e3 / least;
}

/* The team runs body(n, arg), which may hold worksharing constructs, between two barriers. */
struct bench_span {
  double ns; /* from the earliest start to the earliest end */
  int members;
};
struct bench_span bench_by_all(void (*body)(long n, void *arg), long n, void *arg);
/* The same by one member in a single construct; the others wait in its barrier. */
struct bench_span bench_by_one(void (*body)(long n, void *arg), long n, void *arg);

long bench_turns(double us); /* turns of bench_work() that take us microseconds */
long bench_body_turns(const struct bench_row *row); /* those of its bodies, 0 without */
double bench_clock_cost(void); /* ns between two adjacent readings of the clock */
double bench_cpu_ns(void);     /* CPU time of the whole process so far */
int bench_members(void);       /* OMP_NUM_THREADS as the runtime understood it */
void bench_check(int holds, const char *row, const char *what); /* wrong answer: exit 3 */
/* In a region that shall have `size` members: the master sets *wrong if it has not. */
void bench_check_size(int size, int *wrong);
/* A region of its own, outside the time: it has as many members as OMP_NUM_THREADS says. */
void bench_check_team(const char *row);

#endif
