/* thread_local.cpp - thread_local objects of team members */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a member's thread_local object is made once per thread and keeps its state over
// regions, that a root thread's objects are destroyed when it ends, by that thread itself, and
// that no object is destroyed twice or while its member may still run.
// RUN: %omp_test
#include "check.h"
#include <atomic>
#include <thread>

static std::atomic<int> made, destroyed;
static std::atomic<bool> main_over;

struct object {
  std::thread::id owner = std::this_thread::get_id();
  int uses = 0;
  object() { made++; }
  ~object() {
    if (main_over || owner != std::this_thread::get_id())
      return;
    destroyed++;
  }
};

static thread_local object own;

static void regions(int size) {
  int base[16];
  for (int round = 0; round < 20; round++) {
#pragma omp parallel num_threads(size)
    {
      int me = omp_get_thread_num();
      CHECK(own.owner == std::this_thread::get_id());
      if (round == 0)
        base[me] = own.uses;
      CHECK_EQ(own.uses, base[me] + round);
      own.uses++;
    }
  }
}

int main() {
  regions(4);
  int first = made;
  CHECK(first >= 1 && first <= 4);
  CHECK_EQ(destroyed, 0);
  for (int k = 0; k < 5; k++) {
    int before = destroyed;
    std::thread root([] { regions(3); });
    root.join();
    CHECK(destroyed > before); /* at least the root's own */
  }
  CHECK(made <= first + 5 * 3);
  CHECK(destroyed <= made);
  regions(4);
  CHECK_EQ(own.uses, 40);
  main_over = true;
  return 0;
}
