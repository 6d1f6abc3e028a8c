/* ancestors.c - nested parallel: who is where at every depth, in nests of any shape */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks in random nests of five levels, with serialised levels in between (if, num_threads(1)) and
// inner teams of other sizes in turn, that the numbers and sizes of all ancestors, the level and
// the active level are right before, in and after each region, for each member.
// RUN: %omp_test
#include "check.h"

enum { DEPTH = 5, MOST = 24 };

struct place {
  int level, active, threads; /* threads: of the whole nest at most */
  int number[DEPTH + 1], size[DEPTH + 1];
};

static void look(const struct place *p) {
  CHECK_EQ(omp_get_level(), p->level);
  CHECK_EQ(omp_get_active_level(), p->active);
  CHECK_EQ(omp_in_parallel(), p->active > 0);
  for (int l = 0; l <= p->level; l++) {
    CHECK_EQ(omp_get_ancestor_thread_num(l), p->number[l]);
    CHECK_EQ(omp_get_team_size(l), p->size[l]);
  }
  CHECK_EQ(omp_get_thread_num(), p->number[p->level]);
  CHECK_EQ(omp_get_num_threads(), p->size[p->level]);
  for (int l = p->level + 1; l < p->level + 3; l++) {
    CHECK_EQ(omp_get_ancestor_thread_num(l), -1);
    CHECK_EQ(omp_get_team_size(l), -1);
  }
  CHECK_EQ(omp_get_ancestor_thread_num(-1), -1);
  CHECK_EQ(omp_get_team_size(-1), -1);
}

static void descend(const struct place *here, uint64_t random) {
  look(here);
  if (here->level == DEPTH)
    return;
  for (int turn = 0; turn < 2; turn++) {
    int room = MOST / here->threads, form = (int)(check_random(&random) % 4);
    int want = form == 0 ? 1 : 1 + (int)(check_random(&random) % 4);
    want = want > room ? room : want;
    bool active = form != 1;
    int size = active ? want : 1, members = 0;
#pragma omp parallel if (active) num_threads(want) firstprivate(random) reduction(+ : members)
    {
      struct place p = *here;
      int me = omp_get_thread_num();
      p.level++;
      p.active += size > 1;
      p.threads *= size;
      p.number[p.level] = me;
      p.size[p.level] = size;
      members++;
      random += (uint64_t)me * 977;
      descend(&p, random);
      look(&p);
#pragma omp barrier
      look(&p);
    }
    CHECK_EQ(members, size);
    look(here);
    check_random(&random);
  }
}

int main(void) {
  omp_set_max_active_levels(DEPTH);
  omp_set_dynamic(0);
  struct place top = {.threads = 1, .number = {0}, .size = {1}};
  double end = check_seconds() + 4;
  for (uint64_t round = 1; round <= CHECK_TIMES(40) && check_seconds() < end; round++)
    descend(&top, round * 7919);
  return 0;
}
