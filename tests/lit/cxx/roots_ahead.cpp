/* roots_ahead.cpp - roots that come and go, with thread_local objects that have destructors */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each member of a new root makes such an object of its own, that each is destroyed by
// its own thread, once, when the root has ended, and that all OS threads are gone when no more
// roots come. libgomp keeps the threads of ended roots for other ones, so it is not asked for that.
// RUN: %omp_build %s -o %t && %omp_run %t
// RUN: %if nanogomp %{ env -u OMP_WAIT_POLICY NTH_MEMBERS=os %omp_run %t counts %}
#include "check.h"
#include "count_threads.h"
#include <atomic>
#include <string>
#include <thread>

enum { TURNS = 300, AT_ONCE = 40, TEAM = 3 };

static std::atomic<long> made, destroyed;

struct object {
  std::thread::id owner = std::this_thread::get_id();
  std::string text = "a text that is too long to be kept within its object";
  int uses = 0;
  object() { made++; }
  ~object() {
    CHECK(owner == std::this_thread::get_id());
    CHECK_EQ(uses, 2);
    destroyed++;
  }
};

static thread_local object own;

static void root(bool fresh) {
  for (int round = 0; round < 2; round++) {
#pragma omp parallel num_threads(TEAM)
    {
      if (fresh)
        CHECK_EQ(own.uses, round);
      own.uses = round + 1;
    }
  }
}

static void in_turn(int turns, bool fresh) {
  for (int i = 0; i < turns; i++)
    std::thread(root, fresh).join();
}

int main(int arguments, char **) {
  bool counts = arguments > 1;
  omp_set_dynamic(0);
  std::thread([] {}).join(); /* a sanitizer's own thread begins with the first one */
  int before = count_threads();
  in_turn(CHECK_TIMES(TURNS), counts);
  std::thread many[AT_ONCE];
  for (std::thread &t : many)
    t = std::thread(root, counts);
  for (std::thread &t : many)
    t.join();
  in_turn(10, counts);
  if (counts) {
    long all = (CHECK_TIMES(TURNS) + AT_ONCE + 10) * TEAM;
    CHECK_EQ(made, all);
    CHECK_WAIT_UNTIL(destroyed == all);
    CHECK_WAIT_UNTIL(count_threads() <= before);
  }
  return 0;
}
