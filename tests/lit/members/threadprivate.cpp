/* threadprivate.cpp - static data of a member over waits and regions */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that threadprivate variables, __thread arrays and thread_local objects have an address for
// each member, and keep address and value over every kind of wait and from region to region.
// RUN: %members_test
#include "members.h"
#include <string>

static int number;
static double table[64];
#pragma omp threadprivate(number, table)
static __thread long row[200];
static thread_local std::string name = "new";

struct addresses {
  void *of[4];
};

__attribute__((noinline)) static addresses look() { return {{&number, table, row, &name}}; }

static void fill(int me) {
  number = 1000 + me;
  for (int i = 0; i < 64; i++)
    table[i] = me + 0.5 * i;
  for (int i = 0; i < 200; i++)
    row[i] = me * 1000 + i;
  name = "a name too long for the object itself: " + std::to_string(me);
}

__attribute__((noinline)) static void still(int me) {
  CHECK_EQ(number, 1000 + me);
  for (int i = 0; i < 64; i++)
    CHECK(table[i] == me + 0.5 * i);
  for (int i = 0; i < 200; i++)
    CHECK_EQ(row[i], me * 1000 + i);
  CHECK(name == "a name too long for the object itself: " + std::to_string(me));
}

int main() {
  addresses all[MEMBERS];
  omp_set_dynamic(0);
  double end = check_seconds() + 1;
  for (int region = 0; region < 20 && (region < 2 || check_seconds() < end); region++) {
#pragma omp parallel num_threads(MEMBERS)
    {
      int me = omp_get_thread_num();
      if (region == 0) {
        CHECK(name == "new");
        CHECK_EQ(number, 0);
        all[me] = look();
        fill(me);
      }
      for (unsigned pass = 0; pass < 20; pass++) {
        still(me);
        for (int i = 0; i < 4; i++)
          CHECK(look().of[i] == all[me].of[i]);
        pass_alone(pass);
        still(me);
        pass_together(pass);
      }
      still(me);
    }
    for (int i = 0; i < MEMBERS; i++)
      for (int j = 0; j < i; j++)
        for (int k = 0; k < 4; k++)
          CHECK(all[i].of[k] != all[j].of[k]);
  }
  members_end();
  return 0;
}
