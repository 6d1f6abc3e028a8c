/* sizes.c - regions of 2, 8, 3, 16 and 8 members in turn */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that members are complete and distinct whatever size the region before had, and that
// members 0 and 1, which are in all of them, are the same ones with the same thread-local data
// from the first region to the last; then the same inside a nested region.
// RUN: %members_test
#include "members.h"

enum { SIZES = 5, MOST = 16 };

static const int sizes[SIZES] = {2, 8, 3, 16, 8};
static struct identity who[MOST];

static void member(bool first, int size) {
  int me = omp_get_thread_num();
  CHECK_EQ(omp_get_num_threads(), size);
  errno = 1000 + me;
  if (me < 2 && !first)
    identity_check(&who[me]);
  else
    identity_take(&who[me], me);
  for (unsigned way = 0; way < WAYS_ALONE; way++) {
    pass_together(way);
    pass_alone(way + (unsigned)me);
    identity_check(&who[me]);
  }
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  double end = check_seconds() + 1;
  for (int round = 0; round < 10 && (round == 0 || check_seconds() < end); round++)
    for (int s = 0; s < SIZES; s++) {
      int members = 0;
#pragma omp parallel num_threads(sizes[s]) reduction(+ : members)
      {
        member(round == 0 && s == 0, sizes[s]);
        members++;
      }
      CHECK_EQ(members, sizes[s]);
      identities_differ(who, sizes[s]);
    }
#pragma omp parallel num_threads(2)
  for (int s = 0; s < SIZES; s++) {
    int members = 0;
#pragma omp parallel num_threads(sizes[s]) reduction(+ : members)
    {
      pass_together((unsigned)s);
      pass_alone((unsigned)s);
      members++;
    }
    CHECK_EQ(members, sizes[s]);
  }
  members_end();
  return 0;
}
