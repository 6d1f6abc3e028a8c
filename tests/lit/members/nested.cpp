/* nested.cpp - members of nested teams */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that in teams of 2 x 4, 4 x 4, 8 x 2 and 2 x 2 x 4 members each member of each team has
// thread-local data, errno, keys, exceptions, a rounding mode and a pthread of its own, over waits
// and nested regions; and that the innermost members of all teams of a level come together, though
// they wait for each other by sleeping.
// RUN: %members_test
// RUN: env NTH_MEMBERS=nano %omp_run %t
// RUN: env NTH_MEMBERS=auto %omp_run %t
#include "members.h"
#include <cfenv>
#include <stdexcept>
#include <string>

enum { SHAPES = 4, LEVELS = 3, MOST = 16 };

static const int shapes[SHAPES][LEVELS] = {{2, 4, 1}, {4, 4, 1}, {8, 2, 1}, {2, 2, 4}};
static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
static identity leaves[MOST];
static int arrived;

static void in_flight(long id, unsigned way) {
  try {
    throw std::runtime_error(std::to_string(id));
  } catch (const std::exception &e) {
    pass_together(way);
    CHECK(e.what() == std::to_string(id));
  }
}

/* number: where this member is, counted over its whole level. */
static void level(const int *shape, int depth, int number, int round) {
  identity who;
  long id = 1000 * depth + number;
  identity_take(&who, id);
  for (unsigned way = 0; way < 5; way++) {
    int mode = modes[(number + way) % 4];
    std::fesetround(mode);
    pass_alone(way + number);
    identity_check(&who);
    CHECK_EQ(std::fegetround(), mode);
    pass_together(way);
    identity_check(&who);
    CHECK_EQ(std::fegetround(), mode);
    std::fesetround(FE_TONEAREST);
  }
  in_flight(id, round);
  identity_check(&who);
  if (depth < LEVELS && shape[depth] > 1) {
    int size = shape[depth];
#pragma omp parallel num_threads(size)
    {
      CHECK_EQ(omp_get_level(), depth + 1);
      CHECK_EQ(omp_get_num_threads(), size);
      if (omp_get_thread_num() > 0)
        level(shape, depth + 1, number * size + omp_get_thread_num(), round);
      else { /* the parent itself */
        identity_check(&who);
        level(shape, depth + 1, number * size, round);
        identity_take(&who, id);
      }
      pass_together(round);
    }
    identity_check(&who);
  } else {
    leaves[number] = who;
    if (round < SHAPES) {
      __atomic_add_fetch(&arrived, 1, __ATOMIC_RELAXED);
      CHECK_WAIT_UNTIL(__atomic_load_n(&arrived, __ATOMIC_RELAXED) ==
                       shape[0] * shape[1] * shape[2]);
      errno = (int)(1000 + id);
    }
  }
  pass_together(0);
  identity_check(&who);
}

int main() {
  omp_set_max_active_levels(LEVELS);
  double end = check_seconds() + 1.2;
  for (int round = 0; round < 20 && (round < SHAPES || check_seconds() < end); round++) {
    const int *shape = shapes[round % SHAPES];
    arrived = 0;
#pragma omp parallel num_threads(shape[0])
    level(shape, 1, omp_get_thread_num(), round);
    if (round < SHAPES)
      identities_differ(leaves, shape[0] * shape[1] * shape[2]);
  }
  members_end();
  return 0;
}
