/* limits_nested.c - thread-limit-var bounds all threads of a contention group */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the threads in nested regions at one time are never more than OMP_THREAD_LIMIT, that
// a region gets all that are free, and that threads are given back at the join; with several
// roots each group has its own limit; thread_limit of teams bounds each team.
// RUN: %omp_build %s -o %t
// RUN: env OMP_THREAD_LIMIT=7 %omp_run %t 7 %own
// RUN: env OMP_THREAD_LIMIT=2 %omp_run %t 2 %own
// RUN: env OMP_THREAD_LIMIT=30 %omp_run %t 30 %own
#include <pthread.h>

#include "check.h"

static int limit, own;

struct group {
  _Atomic(int) threads; /* those of all teams, each once */
};

static void nest(struct group *g, int depth, uint64_t random) {
  int wanted = 1 + (int)(check_random(&random) % 6);
#pragma omp parallel num_threads(wanted) firstprivate(random)
  {
    CHECK(omp_get_num_threads() <= wanted);
    if (omp_get_thread_num() > 0)
      CHECK(++g->threads <= limit);
    random += (uint64_t)omp_get_thread_num();
    if (depth > 0)
      nest(g, depth - 1, random);
    check_busy(500);
    if (omp_get_thread_num() > 0)
      g->threads--;
  }
}

/* Alone in its group a region gets what it asks for, up to the limit, again and again. */
static void given_back(void) {
  for (int n = 1; n <= limit + 2; n++) {
    int size = 0, inner = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
    size = omp_get_num_threads();
    CHECK_EQ(size, n < limit ? n : limit);
#pragma omp parallel num_threads(2)
    {
      if (omp_get_thread_num() == 0) {
        size = omp_get_num_threads();
#pragma omp parallel num_threads(n)
#pragma omp single
        inner = omp_get_num_threads();
      }
    }
    if (own) {
      int free = limit - size + 1; /* its master is of the outer team */
      CHECK_EQ(inner, n < free ? n : free);
    }
  }
}

static void *root(void *unused) {
  struct group g = {1};
  omp_set_max_active_levels(4);
  for (int round = 0; round < (own ? CHECK_TIMES(30) : 1); round++) {
    if (own)
      nest(&g, 3, (uint64_t)round);
    CHECK_EQ(g.threads, 1);
    given_back();
  }
  return unused;
}

static void teams(void) {
  struct group g[4] = {{1}, {1}, {1}, {1}};
  int outer = limit;
  limit = 3;
#pragma omp teams num_teams(4) thread_limit(3)
  {
    int me = omp_get_team_num();
#pragma omp parallel num_threads(8)
    CHECK(omp_get_thread_limit() <= 3 && omp_get_num_threads() <= 3);
    if (own)
      nest(&g[me], 2, (uint64_t)me);
    CHECK_EQ(g[me].threads, 1);
  }
  limit = outer;
}

int main(int argc, char **argv) {
  limit = argc > 1 ? atoi(argv[1]) : 0;
  own = argc > 2 && atoi(argv[2]);
  CHECK_EQ(omp_get_thread_limit(), limit);
  root(0);
  pthread_t thread[3];
  for (int i = 0; i < 3; i++)
    CHECK_EQ(pthread_create(&thread[i], 0, root, 0), 0);
  for (int i = 0; i < 3; i++)
    pthread_join(thread[i], 0);
  teams();
  given_back();
  return 0;
}
