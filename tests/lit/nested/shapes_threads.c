/* shapes_threads.c - nested parallel: shapes that alternate share the root's threads */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a program whose regions are flat and nested in turn has as many threads as its
// largest shape, whichever comes first; that inner member k of outer member g is the thread of flat
// member g * inner + k, unless that one is itself an outer member; and that flat members keep their
// threadprivate data. nanogomp-only: libgomp makes and ends threads in every inner region.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t && %omp_run %t && %omp_run %t 1 && env NTH_MEMBERS=os %omp_run %t
// RUN: env NTH_MEMBERS=nano %omp_run %t && env NTH_MEMBERS=nano %omp_run %t 1
#include "threads.h"

enum { MOST = 16 };

static int mine;
#pragma omp threadprivate(mine)

static int flat_id[MOST], besides;

static void flat(void) {
  int members = 0;
#pragma omp parallel num_threads(MOST) reduction(+ : members)
  {
    int me = omp_get_thread_num();
    CHECK_EQ(omp_get_num_threads(), MOST);
    if (flat_id[me] == 0) {
      flat_id[me] = threads_id();
      mine = 100 + me;
    }
    CHECK_EQ(threads_id(), flat_id[me]);
    CHECK_EQ(mine, 100 + me);
    members++;
  }
  CHECK_EQ(members, MOST);
}

/* known: flat regions have been there. */
static void nest(int outer, int inner, bool known) {
  int members = 0;
#pragma omp parallel num_threads(outer) reduction(+ : members)
  {
    int g = omp_get_thread_num(), inside = 0;
    CHECK_EQ(omp_get_num_threads(), outer);
#pragma omp parallel num_threads(inner) reduction(+ : inside)
    {
      int k = omp_get_thread_num(), same = k == 0 ? g : g * inner + k;
      CHECK_EQ(omp_get_num_threads(), inner);
      if (known && outer * inner == MOST && (k == 0 || same >= outer))
        CHECK_EQ(threads_id(), flat_id[same]);
      inside++;
    }
    members += inside;
  }
  CHECK_EQ(members, outer * inner);
}

/* Idle threads leave after a second: these are not waited for. The watchdog has its name a little
 * later. */
static void few(void) {
  for (int i = 0; i < 20 && threads_now() - besides > MOST; i++)
    check_sleep_ms(10);
  CHECK(threads_now() - besides <= MOST);
}

int main(int argc, char **argv) {
  static const int shape[][2] = {{4, 4}, {2, 8}, {8, 2}, {16, 1}, {1, 16}, {3, 5}, {5, 3}, {4, 2}};
  enum { SHAPES = sizeof shape / sizeof *shape };
  (void)argv;
  besides = threads_besides();
  omp_set_max_active_levels(2);
  omp_set_dynamic(0);
  if (argc > 1) { /* the nested ones first */
    nest(4, 4, false);
    few();
    nest(2, 8, false);
    few();
  }
  flat();
  few();
  double end = check_seconds() + 4;
  for (int round = 0; round < CHECK_TIMES(50) && check_seconds() < end; round++) {
    const int *s = shape[round % 7 == 0 ? round % SHAPES : round % 2];
    nest(s[0], s[1], true);
    if (round % 3 == 0)
      nest(s[0], s[1], true);
    flat();
  }
  for (int i = 0; i < SHAPES; i++)
    nest(shape[i][0], shape[i][1], true);
  flat();
  few();
  return 0;
}
