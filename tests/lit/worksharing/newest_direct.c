/* newest_direct.c - what gcc 17 calls for static loops, masked, barriers, by name */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the place in team and league, alone, in regions, leagues and nested ones; that a masked
// block has one member; that barriers of each kind hold members back; that sums lose nothing; and
// the blocks of single and scope. nanogomp-only: libgomp has none of these before gcc 17.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t -ldl
// RUN: %omp_run %t
#include "check.h"
#include <dlfcn.h>

typedef _Complex int (*place)(unsigned long long);
static place loop, loop_start, distribute, distribute_start;
static void (*loop_chunk)(unsigned long long, unsigned long long), (*loop_end)(void),
    (*distribute_chunk)(unsigned long long, unsigned long long), (*distribute_end)(void);
static bool (*masked)(int), (*masked_start)(int), (*single)(void), (*barrier_cancel)(int);
static void (*masked_end)(void), (*single_end)(void), (*scope)(uintptr_t *), (*scope_end)(void);
static void (*barrier)(int), (*sum)(void), (*sum_end)(void);

#define FIND(pointer, symbol)                                                                      \
  do {                                                                                             \
    *(void **)&(pointer) = dlsym(RTLD_DEFAULT, symbol);                                            \
    CHECK(pointer);                                                                                \
  } while (0)

static void find(void) {
  FIND(loop, "GOMP_loop_static_worksharing");
  FIND(loop_start, "GOMP_loop_static_worksharing_start");
  FIND(loop_chunk, "GOMP_loop_static_worksharing_dispatch");
  FIND(loop_end, "GOMP_loop_static_worksharing_end");
  FIND(distribute, "GOMP_distribute_static_worksharing");
  FIND(distribute_start, "GOMP_distribute_static_worksharing_start");
  FIND(distribute_chunk, "GOMP_distribute_static_worksharing_dispatch");
  FIND(distribute_end, "GOMP_distribute_static_worksharing_end");
  FIND(masked, "GOMP_has_masked_thread_num");
  FIND(masked_start, "GOMP_has_masked_thread_num_with_end");
  FIND(masked_end, "GOMP_masked_end");
  FIND(single, "GOMP_single_start_with_end");
  FIND(single_end, "GOMP_single_end");
  FIND(scope, "GOMP_scope_start_with_end");
  FIND(scope_end, "GOMP_scope_end");
  FIND(barrier, "GOMP_barrier_ext");
  FIND(barrier_cancel, "GOMP_barrier_cancel_ext");
  FIND(sum, "GOMP_reduction_start");
  FIND(sum_end, "GOMP_reduction_end");
}

static void places(int size, int num, int teams, int team) {
  _Complex int team_places[] = {loop(100), loop_start(7)};
  loop_chunk(0, 3);
  loop_end();
  loop_end(); /* of a loop without iterations */
  _Complex int league_places[] = {distribute(100), distribute_start(7)};
  distribute_chunk(3, 4);
  distribute_end();
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(__real__ team_places[i], size);
    CHECK_EQ(__imag__ team_places[i], num);
    CHECK_EQ(__real__ league_places[i], teams);
    CHECK_EQ(__imag__ league_places[i], team);
  }
}

static void in_regions(void) {
  places(1, 0, 1, 0);
#pragma omp parallel num_threads(3)
  {
    places(3, omp_get_thread_num(), 1, 0);
#pragma omp parallel num_threads(2)
    places(omp_get_num_threads(), omp_get_thread_num(), 1, 0);
  }
#pragma omp teams num_teams(3)
  {
    places(1, 0, omp_get_num_teams(), omp_get_team_num());
#pragma omp parallel num_threads(2)
    places(omp_get_num_threads(), omp_get_thread_num(), omp_get_num_teams(), omp_get_team_num());
  }
}

static void blocks(void) {
  enum { ROUNDS = 50 };
  int owners = 0, runs = 0, total = 0, came[3] = {0};
  CHECK(masked(0) && !masked(1) && masked_start(0) && !masked_start(-1));
  masked_end();
#pragma omp parallel num_threads(4)
  for (int i = 0; i < ROUNDS; i++) {
    if (i % 2 ? masked(i % 5) : masked_start(i % 5)) {
      CHECK_EQ(omp_get_thread_num(), i % 5);
      owners++;
      if (i % 2 == 0)
        masked_end();
    }
    barrier(1);
    if (single())
      runs++;
    barrier(1);
    single_end();
    scope(NULL);
    sum();
    total++;
    sum_end();
    scope_end();
    for (int kind = 0; kind < 3; kind++) {
      __atomic_fetch_add(&came[kind], 1, __ATOMIC_RELAXED);
      if (kind == 1)
        CHECK(!barrier_cancel(kind));
      else
        barrier(kind);
      CHECK_EQ(__atomic_load_n(&came[kind], __ATOMIC_RELAXED), 4 * (i + 1));
      barrier(2);
    }
  }
  CHECK_EQ(owners, ROUNDS / 5 * 4);
  CHECK_EQ(runs, ROUNDS);
  CHECK_EQ(total, ROUNDS * 4);
}

int main(void) {
  omp_set_dynamic(0);
  find();
  in_regions();
  blocks();
  return 0;
}
