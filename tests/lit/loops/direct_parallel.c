/* direct_parallel.c - GOMP_parallel_loop_*: parallel and loop in one call, new and old forms */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the combined entries of gcc 4.9 and later, and the *_start forms of gcc 4.4 to 4.8 where
// the caller runs the body itself: team size, data pointer, each iteration once.
// RUN: %omp_test
// RUN: env NTH_RANGES=on %omp_run %t
#include "check.h"
#include "gomp_loops.h"

typedef void body_fn(void *);
typedef void parallel_loop(body_fn *, void *, unsigned, long, long, long, long, unsigned);
typedef void parallel_loop_runtime(body_fn *, void *, unsigned, long, long, long, unsigned);
typedef void old_parallel_loop(body_fn *, void *, unsigned, long, long, long, long);
typedef void old_parallel_loop_runtime(body_fn *, void *, unsigned, long, long, long);
parallel_loop GOMP_parallel_loop_static, GOMP_parallel_loop_dynamic, GOMP_parallel_loop_guided,
    GOMP_parallel_loop_nonmonotonic_dynamic, GOMP_parallel_loop_nonmonotonic_guided;
parallel_loop_runtime GOMP_parallel_loop_runtime, GOMP_parallel_loop_nonmonotonic_runtime,
    GOMP_parallel_loop_maybe_nonmonotonic_runtime;
old_parallel_loop GOMP_parallel_loop_static_start, GOMP_parallel_loop_dynamic_start,
    GOMP_parallel_loop_guided_start;
old_parallel_loop_runtime GOMP_parallel_loop_runtime_start;
void GOMP_parallel_end(void);

enum { MOST = 100 };

struct job {
  gomp_next *next;
  int size, members, ran[MOST];
};

static void body(void *data) {
  struct job *job = data;
  long a, b;
  CHECK_EQ(omp_get_num_threads(), job->size);
#pragma omp atomic
  job->members++;
  while (job->next(&a, &b))
    for (long i = a; i < b; i += 3)
      job->ran[(i + 10) / 3]++;
  GOMP_loop_end_nowait();
}

static void finish(struct job *job, int trips) {
  CHECK_EQ(job->members, job->size);
  for (int k = 0; k < MOST; k++)
    CHECK_EQ(job->ran[k], k < trips);
  job->members = 0;
  memset(job->ran, 0, sizeof job->ran);
  CHECK_EQ(omp_get_level(), 0);
}

static void one(parallel_loop *run, old_parallel_loop *old, gomp_next *next, unsigned threads,
                long chunk, int trips) {
  struct job job = {next, threads ? (int)threads : omp_get_max_threads(), 0, {0}};
  run(body, &job, threads, -10, -10 + 3 * trips, 3, chunk, 0);
  finish(&job, trips);
  if (!old)
    return;
  old(body, &job, threads, -10, -10 + 3 * trips, 3, chunk);
  body(&job);
  GOMP_parallel_end();
  finish(&job, trips);
}

static void one_runtime(parallel_loop_runtime *run, gomp_next *next, unsigned threads, int trips) {
  struct job job = {next, threads ? (int)threads : omp_get_max_threads(), 0, {0}};
  run(body, &job, threads, -10, -10 + 3 * trips, 3, 0);
  finish(&job, trips);
  job.next = GOMP_loop_runtime_next;
  GOMP_parallel_loop_runtime_start(body, &job, threads, -10, -10 + 3 * trips, 3);
  body(&job);
  GOMP_parallel_end();
  finish(&job, trips);
}

int main(void) {
  for (unsigned threads = 0; threads < 5; threads++)
    for (long chunk = 1; chunk < 50; chunk += 23)
      for (int trips = 0; trips <= MOST; trips += 25) {
        one(GOMP_parallel_loop_static, GOMP_parallel_loop_static_start, GOMP_loop_static_next,
            threads, chunk, trips);
        one(GOMP_parallel_loop_dynamic, GOMP_parallel_loop_dynamic_start, GOMP_loop_dynamic_next,
            threads, chunk, trips);
        one(GOMP_parallel_loop_guided, GOMP_parallel_loop_guided_start, GOMP_loop_guided_next,
            threads, chunk, trips);
        one(GOMP_parallel_loop_nonmonotonic_dynamic, NULL, GOMP_loop_nonmonotonic_dynamic_next,
            threads, chunk, trips);
        one(GOMP_parallel_loop_nonmonotonic_guided, NULL, GOMP_loop_nonmonotonic_guided_next,
            threads, chunk, trips);
        omp_set_schedule((omp_sched_t)(1 + trips / 25 % 4), (int)chunk);
        one_runtime(GOMP_parallel_loop_runtime, GOMP_loop_runtime_next, threads, trips);
        one_runtime(GOMP_parallel_loop_nonmonotonic_runtime, GOMP_loop_nonmonotonic_runtime_next,
                    threads, trips);
        one_runtime(GOMP_parallel_loop_maybe_nonmonotonic_runtime,
                    GOMP_loop_maybe_nonmonotonic_runtime_next, threads, trips);
      }
  return 0;
}
