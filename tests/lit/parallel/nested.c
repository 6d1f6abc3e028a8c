/* nested.c - nested parallel: levels, ancestors and team sizes at each depth */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks under max_active_levels 0 to 3 that deeper regions are active or have one member as they
// must, and that omp_get_level, _active_level, _ancestor_thread_num and _team_size agree.
// RUN: %omp_test
#include "check.h"

enum { DEPTH = 4 };

static const int width[DEPTH] = {2, 3, 2, 2};
static long visits;

static void descend(int level, int limit, const int *numbers, const int *sizes) {
  CHECK_EQ(omp_get_level(), level);
  CHECK_EQ(omp_get_active_level(), level < limit ? level : limit);
  CHECK_EQ(omp_in_parallel(), level > 0 && limit > 0);
  CHECK_EQ(omp_get_max_active_levels(), limit);
  CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
  CHECK_EQ(omp_get_team_size(0), 1);
  for (int l = 1; l <= level; l++) {
    CHECK_EQ(omp_get_ancestor_thread_num(l), numbers[l - 1]);
    CHECK_EQ(omp_get_team_size(l), sizes[l - 1]);
  }
  CHECK_EQ(omp_get_ancestor_thread_num(level + 1), -1);
  CHECK_EQ(omp_get_team_size(level + 1), -1);
  CHECK_EQ(omp_get_ancestor_thread_num(-1), -1);
  CHECK_EQ(omp_get_team_size(-1), -1);
#pragma omp atomic
  visits++;
  if (level == DEPTH)
    return;
  int want = level < limit ? width[level] : 1;
#pragma omp parallel num_threads(width[level])
  {
    int deeper_numbers[DEPTH], deeper_sizes[DEPTH];
    memcpy(deeper_numbers, numbers, (size_t)level * sizeof *numbers);
    memcpy(deeper_sizes, sizes, (size_t)level * sizeof *sizes);
    deeper_numbers[level] = omp_get_thread_num();
    deeper_sizes[level] = omp_get_num_threads();
    CHECK_EQ(omp_get_num_threads(), want);
    descend(level + 1, limit, deeper_numbers, deeper_sizes);
  }
  CHECK_EQ(omp_get_level(), level);
}

int main(void) {
  for (int round = 0; round < 4; round++) {
    for (int limit = 0; limit <= 3; limit++) {
      omp_set_max_active_levels(limit);
      visits = 0;
      descend(0, limit, NULL, NULL);
      long want = 0, members = 1;
      for (int level = 0; level <= DEPTH; level++) {
        want += members;
        members *= level < limit ? width[level % DEPTH] : 1;
      }
      CHECK_EQ(visits, want);
    }
  }
  return 0;
}
