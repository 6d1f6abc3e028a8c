/* regions.c - OpenMP regions run on fewer processors while that is asked for */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that after a request at most as many members are in a chunk, a task or a region's body
// at the same time, and after its end more; that each iteration and task runs once, and each member
// has its part of a static loop; that a team keeps its members where the program says how many.
// nanogomp-only: libgomp takes no requests
// REQUIRES: cpus-0-1
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: env NTH_MEMBERS=os %omp_run %t
// RUN: env NTH_MEMBERS=nano %omp_run %t
#include "Inputs/inside.h"

enum { PIECES = 400, TURNS = 20000 };
static int members;
static long done[PIECES];

static void run(int i) {
  inside_work(TURNS);
  __atomic_fetch_add(&done[i], 1, __ATOMIC_RELAXED);
}

static void once(void) {
  for (int i = 0; i < PIECES; i++) {
    CHECK_EQ(done[i], 1);
    done[i] = 0;
  }
}

static void loop(void) {
#pragma omp parallel num_threads(members)
  {
    CHECK_EQ(omp_get_num_threads(), members);
#pragma omp for schedule(dynamic)
    for (int i = 0; i < PIECES; i++)
      run(i);
  }
}

static void guided(void) {
#pragma omp parallel for schedule(guided) num_threads(members)
  for (int i = 0; i < PIECES; i++)
    run(i);
}

static void tasks(void) {
#pragma omp parallel num_threads(members)
#pragma omp single
  for (int i = 0; i < PIECES; i++)
#pragma omp task
    run(i);
}

/* Tasks that wait for tasks. */
static void tree(void) {
#pragma omp parallel num_threads(members)
#pragma omp single
  for (int i = 0; i < PIECES; i += 4)
#pragma omp task
  {
    for (int k = 1; k < 4; k++)
#pragma omp task
      run(i + k);
#pragma omp taskwait
    run(i);
  }
}

static void barriers(void) {
  static int by[PIECES];
#pragma omp parallel num_threads(members)
  for (int turn = 0; turn < 10; turn++) {
#pragma omp for schedule(static)
    for (int i = turn * (PIECES / 10); i < (turn + 1) * (PIECES / 10); i++) {
      by[i] = omp_get_thread_num();
      run(i);
    }
  }
  CHECK_EQ(by[PIECES - 1], members > PIECES / 10 ? PIECES / 10 - 1 : members - 1);
}

static void short_regions(void) {
  for (int i = 0; i < PIECES; i += 20)
#pragma omp parallel for schedule(static) num_threads(members)
    for (int k = 0; k < 20; k++)
      run(i + k);
}

/* A team whose size nobody has set follows the request. */
static void default_size(void) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < PIECES; i++)
    run(i);
}

static void (*const shapes[])(void) = {loop,     guided,        tasks,       tree,
                                       barriers, short_regions, default_size};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static void *asker(void *unused) {
  inside_await_more(1);
  CHECK_EQ(nth_request(1), 0);
  inside_await(1);
  CHECK_EQ(nth_request(0), 0);
  inside_await_more(1);
  if (members > 2) {
    CHECK_EQ(nth_request(2), 0);
    inside_await(2);
    CHECK_EQ(nth_request(members + 3), 0); /* as good as all */
    inside_await_more(1);
  }
  CHECK_EQ(nth_request(0), 0);
  __atomic_store_n(&inside_over, 1, __ATOMIC_RELAXED);
  return unused;
}

int main(void) {
  members = omp_get_max_threads() > 1 ? omp_get_max_threads() : 2;
  for (int shape = 0; shape < SHAPES; shape++) {
    pthread_t thread;
    inside_over = 0;
    if (shapes[shape] == default_size && omp_get_max_threads() == 1)
      continue;
    CHECK_EQ(pthread_create(&thread, NULL, asker, NULL), 0);
    while (!inside_ends()) {
      shapes[shape]();
      once();
    }
    CHECK_EQ(pthread_join(thread, NULL), 0);
  }
  return 0;
}
