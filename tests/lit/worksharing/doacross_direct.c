/* doacross_direct.c - GOMP_loop_doacross_*, GOMP_doacross_post and _wait called directly */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks what a compiler passes seldom: many more chunks than the library may keep lines for, nests
// of more iterations than 64 bits count, counts that change after the start call, shared memory
// and task reductions at the start, empty dimensions, iterations without a source at a chunk's end.
// nanogomp-only: libgomp hangs in wait for an iteration that never posts.
// REQUIRES: nanogomp
// RUN: %omp_test
#include "check.h"

typedef unsigned long long ull;
typedef bool start_fn(unsigned, long *, long, long *, long *);
typedef bool start_ull_fn(unsigned, ull *, ull, ull *, ull *);
start_fn GOMP_loop_doacross_static_start, GOMP_loop_doacross_dynamic_start,
    GOMP_loop_doacross_guided_start;
start_ull_fn GOMP_loop_ull_doacross_static_start, GOMP_loop_ull_doacross_dynamic_start,
    GOMP_loop_ull_doacross_guided_start;
bool GOMP_loop_doacross_runtime_start(unsigned, long *, long *, long *);
bool GOMP_loop_ull_doacross_runtime_start(unsigned, ull *, ull *, ull *);
bool GOMP_loop_doacross_start(unsigned, long *, long, long, long *, long *, uintptr_t *, void **);
bool GOMP_loop_ull_doacross_start(unsigned, ull *, long, ull, ull *, ull *, uintptr_t *, void **);
bool GOMP_loop_runtime_next(long *, long *);
bool GOMP_loop_ull_runtime_next(ull *, ull *);
void GOMP_doacross_post(long *), GOMP_doacross_ull_post(ull *);
void GOMP_doacross_wait(long, ...), GOMP_doacross_ull_wait(ull, ...);
void GOMP_loop_end(void), GOMP_loop_end_nowait(void);
void GOMP_workshare_task_reduction_unregister(bool);
void GOMP_task_reduction_remap(size_t, size_t, void **);

enum { STATIC = 1, DYNAMIC = 2, GUIDED = 3, LONG = 3000 };

static int done[LONG];
static long total;

/* One dimension, `back` iterations back; the member may run far ahead of others. */
static void far(start_fn *start, long chunk, long back) {
  long counts[1] = {LONG}, a, b;
  bool more = start(1, counts, chunk, &a, &b);
  counts[0] = -7;
  for (; more; more = GOMP_loop_runtime_next(&a, &b))
    for (long i = a; i < b; i++) {
      if (i >= back) {
        GOMP_doacross_wait(i - back);
        CHECK_EQ(done[i - back], 1);
      }
      if (i % 501 == 0)
        check_sleep_ms(1);
      done[i]++;
      GOMP_doacross_post(&i);
    }
  GOMP_loop_end();
#pragma omp single
  for (int i = 0; i < LONG; i++) {
    CHECK_EQ(done[i], 1);
    done[i] = 0;
  }
}

static const ull most = 0xffffffffffffff00ull;
static int corner[64][8];

/* Three dimensions whose product does not fit 64 bits: each member runs the first and the last few
 * iterations of the inner ones; the compiler's loops would run them all. */
static void vectors(start_ull_fn *start, ull chunk) {
  ull counts[3] = {64, most, 1ull << 40}, a, b, v[3];
  bool more = start(3, counts, chunk, &a, &b);
  for (; more; more = GOMP_loop_ull_runtime_next(&a, &b))
    for (v[0] = a; v[0] < b; v[0]++)
      for (int k = 0; k < 8; k++) {
        v[1] = (ull)(k / 4) * (most - 2) + (ull)(k / 2 % 2);
        v[2] = k % 2 ? (1ull << 40) - 1 : 5;
        if (v[0] > 0) {
          GOMP_doacross_ull_wait(v[0] - 1, v[1], v[2]);
          CHECK_EQ(corner[v[0] - 1][k], 1);
        }
        if ((v[0] * 8 + (ull)k) % 97 == 0)
          check_sleep_ms(1);
        corner[v[0]][k]++;
        GOMP_doacross_ull_post(v);
      }
  GOMP_loop_end();
#pragma omp single
  for (int i = 0; i < 64; i++)
    for (int k = 0; k < 8; k++) {
      CHECK_EQ(corner[i][k], 1);
      corner[i][k] = 0;
    }
}

static int cell[300][4];

/* Iterations that post nothing: whoever waits for one goes on at the chunk's end at the latest. */
static void silent(start_fn *start, long chunk) {
  long counts[2] = {300, 4}, a, b, v[2];
  bool more = start(2, counts, chunk, &a, &b);
  for (; more; more = GOMP_loop_runtime_next(&a, &b))
    for (v[0] = a; v[0] < b; v[0]++)
      for (v[1] = 0; v[1] < 4; v[1]++) {
        if (v[0] > 0) {
          GOMP_doacross_wait(v[0] - 1, v[1]);
          if ((v[0] - 1) % 3 == 0)
            CHECK_EQ(cell[v[0] - 1][v[1]], 1);
        }
        cell[v[0]][v[1]]++;
        if (v[0] % 3 == 0)
          GOMP_doacross_post(v);
      }
  GOMP_loop_end_nowait();
#pragma omp barrier
#pragma omp single
  for (int i = 0; i < 300; i++)
    for (int k = 0; k < 4; k++) {
      CHECK_EQ(cell[i][k], 1);
      cell[i][k] = 0;
    }
}

/* The general entries: memory of the construct, and a task reduction whose copies are found. */
static void general(long sched) {
  long counts[2] = {50, 3}, a, b, sum = 0;
  ull ucounts[2] = {50, 3}, ua, ub;
  uintptr_t array[10] = {1, 64, 8, (uintptr_t)-1, 0, 0, 0, (uintptr_t)&total, 0, 0};
  void *memory = (void *)sizeof(long), *item[2] = {&total, NULL};
  bool more = GOMP_loop_doacross_start(2, counts, sched, 2, &a, &b, array, &memory);
  GOMP_task_reduction_remap(1, 0, item);
  CHECK(item[0] != &total);
  for (; more; more = GOMP_loop_runtime_next(&a, &b))
    for (long i = a; i < b; i++)
      for (long j = 0; j < 3; j++) {
        if (i > 0)
          GOMP_doacross_wait(i - 1, j);
        if (j > 0)
          GOMP_doacross_wait(i, j - 1);
        sum += i;
        *(long *)item[0] += i;
        if (j == 0)
          ++*(long *)memory;
        GOMP_doacross_post((long[]){i, j});
      }
  GOMP_loop_end();
  CHECK_EQ(*(long *)item[0], sum);
  CHECK_EQ(*(long *)memory, 50);
#pragma omp barrier
  GOMP_workshare_task_reduction_unregister(false);
  memory = (void *)8;
  more = GOMP_loop_ull_doacross_start(2, ucounts, sched, 1, &ua, &ub, NULL, &memory);
  for (; more; more = GOMP_loop_ull_runtime_next(&ua, &ub))
    for (ull i = ua; i < ub; i++) {
      if (i > 0)
        GOMP_doacross_ull_wait(i - 1, 2ull);
      ++*(long *)memory;
      GOMP_doacross_ull_post((ull[]){i, 2});
    }
  GOMP_loop_end();
  CHECK_EQ(*(long *)memory, 50);
#pragma omp barrier
}

static void empty(void) {
  long counts[3] = {0, 5, 5}, a, b;
  CHECK(!GOMP_loop_doacross_dynamic_start(3, counts, 1, &a, &b));
  GOMP_loop_end();
  counts[0] = -4;
  CHECK(!GOMP_loop_doacross_static_start(3, counts, 0, &a, &b));
  GOMP_loop_end();
  counts[0] = 700, counts[1] = 0; /* chunks with nothing in them */
  long chunks = 0;
  for (bool more = GOMP_loop_doacross_guided_start(3, counts, 1, &a, &b); more;
       more = GOMP_loop_runtime_next(&a, &b))
    chunks += b - a;
#pragma omp atomic
  total += chunks;
  GOMP_loop_end();
  CHECK_EQ(total, 700);
#pragma omp barrier
#pragma omp single
  total = 0;
}

int main(void) {
#pragma omp parallel
  {
    static const long chunks[] = {1, 2, 100, 5000};
    for (int c = 0; c < 4; c++)
      for (long back = 1; back < 1000; back = back * 13 + 1) {
        far(GOMP_loop_doacross_static_start, chunks[c], back);
        far(GOMP_loop_doacross_dynamic_start, chunks[c], back);
        far(GOMP_loop_doacross_guided_start, chunks[c], back);
      }
    far(GOMP_loop_doacross_static_start, 0, 1);
    for (ull chunk = 0; chunk < 3; chunk++) {
      vectors(GOMP_loop_ull_doacross_static_start, chunk);
      vectors(GOMP_loop_ull_doacross_dynamic_start, chunk + 1);
      vectors(GOMP_loop_ull_doacross_guided_start, chunk + 1);
      silent(GOMP_loop_doacross_static_start, (long)chunk);
      silent(GOMP_loop_doacross_dynamic_start, 1 + (long)chunk);
      silent(GOMP_loop_doacross_guided_start, 1 + (long)chunk);
    }
    general(STATIC);
    general(DYNAMIC);
    general(GUIDED);
    empty();
  }
  return 0;
}
