/* doacross_random.c - random doacross nests against their constraints */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that an iteration begins after each one that it waits for has ended: one to three loops,
// sinks of every kind that come before, every schedule, both types. Arguments: nests, 1: some
// iterations post nothing (a wait for one ends with its chunk; libgomp hangs).
// RUN: %omp_build %s -o %t && %omp_run %t 2000 %own
#include "check.h"

typedef unsigned long long ull;
typedef bool start_fn(unsigned, long *, long, long, long *, long *, uintptr_t *, void **);
typedef bool start_ull_fn(unsigned, ull *, long, ull, ull *, ull *, uintptr_t *, void **);
start_fn GOMP_loop_doacross_start;
start_ull_fn GOMP_loop_ull_doacross_start;
bool GOMP_loop_runtime_next(long *, long *), GOMP_loop_ull_runtime_next(ull *, ull *);
void GOMP_doacross_post(long *), GOMP_doacross_ull_post(ull *), GOMP_loop_end(void);
void GOMP_doacross_wait(long, ...), GOMP_doacross_ull_wait(ull, ...);

enum { DIMENSIONS = 3, SINKS = 3, MOST = 12 * 12 * 12, STATIC = 1, GUIDED = 3 };

static struct nest {
  unsigned dimensions, sinks;
  long count[DIMENSIONS], sink[SINKS][DIMENSIONS]; /* a sink: what is added to an iteration */
  long schedule, chunk;
  bool is_ull, skips;
  uint64_t seed;
} nest;

static _Atomic(bool) ended[MOST];
static _Atomic(long) iterations;

static void draw(uint64_t seed, bool skips) {
  uint64_t random = nest.seed = seed;
  nest.dimensions = 1 + check_random(&random) % DIMENSIONS;
  nest.sinks = 1 + check_random(&random) % SINKS;
  for (unsigned k = 0; k < nest.dimensions; k++)
    nest.count[k] = nest.dimensions == 1 ? check_random(&random) % 200 : check_random(&random) % 12;
  for (unsigned s = 0; s < nest.sinks; s++) {
    unsigned first =
        check_random(&random) % nest.dimensions; /* the loop in which it comes before */
    for (unsigned k = 0; k < nest.dimensions; k++) {
      long back = -1 - (long)(check_random(&random) % 4),
           any = (long)(check_random(&random) % 7) - 3;
      nest.sink[s][k] = k < first ? 0 : k == first ? back : any;
    }
  }
  nest.schedule = STATIC + check_random(&random) % GUIDED;
  nest.chunk = (nest.schedule != STATIC) + check_random(&random) % 4; /* 0: a block each */
  nest.is_ull = check_random(&random) % 2;
  nest.skips = skips && check_random(&random) % 2;
  iterations = 0;
  for (int i = 0; i < MOST; i++)
    ended[i] = false;
}

/* Its number in the order of the nest; -1: it is outside. */
static long place(const long *at) {
  long number = 0;
  for (unsigned k = 0; k < nest.dimensions; k++) {
    if (at[k] < 0 || at[k] >= nest.count[k])
      return -1;
    number = number * nest.count[k] + at[k];
  }
  return number;
}

static void iteration(long *at) {
  long number = place(at);
  uint64_t random = nest.seed + (uint64_t)number;
  for (unsigned s = 0; s < nest.sinks; s++) {
    long to[DIMENSIONS] = {0};
    for (unsigned k = 0; k < nest.dimensions; k++)
      to[k] = at[k] + nest.sink[s][k];
    if (place(to) < 0)
      continue;
    if (nest.is_ull)
      GOMP_doacross_ull_wait((ull)to[0], (ull)to[1], (ull)to[2]);
    else
      GOMP_doacross_wait(to[0], to[1], to[2]);
    CHECK(ended[place(to)]);
  }
  check_busy(check_random(&random) % 8 == 0 ? 300 : 1);
  CHECK(!ended[number]);
  ended[number] = true;
  iterations++;
  if (nest.skips && check_random(&random) % 4 == 0)
    return;
  if (nest.is_ull)
    GOMP_doacross_ull_post((ull *)at);
  else
    GOMP_doacross_post(at);
}

/* All iterations from at[loop] = begin to end - 1, and of the loops inside. */
static void run(long *at, unsigned loop, long begin, long end) {
  for (at[loop] = begin; at[loop] < end; at[loop]++) {
    if (loop + 1 < nest.dimensions)
      run(at, loop + 1, 0, nest.count[loop + 1]);
    else
      iteration(at);
  }
}

static void member(void) {
  long at[DIMENSIONS], begin, end;
  bool some;
  if (nest.is_ull)
    some = GOMP_loop_ull_doacross_start(nest.dimensions, (ull *)nest.count, nest.schedule,
                                        (ull)nest.chunk, (ull *)&begin, (ull *)&end, 0, 0);
  else
    some = GOMP_loop_doacross_start(nest.dimensions, nest.count, nest.schedule, nest.chunk, &begin,
                                    &end, 0, 0);
  while (some) {
    run(at, 0, begin, end);
    some = nest.is_ull ? GOMP_loop_ull_runtime_next((ull *)&begin, (ull *)&end)
                       : GOMP_loop_runtime_next(&begin, &end);
  }
  GOMP_loop_end();
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 3);
  int nests = CHECK_TIMES(atoi(argv[1]));
#pragma omp parallel
  for (int n = 0; n < nests; n++) {
#pragma omp single
    draw((uint64_t)n * 7919 + 1, atoi(argv[2]));
    member();
#pragma omp single
    {
      long all = 1;
      for (unsigned k = 0; k < nest.dimensions; k++)
        all *= nest.count[k];
      CHECK_EQ(iterations, all);
    }
  }
  return 0;
}
