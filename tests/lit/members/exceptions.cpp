/* exceptions.cpp - C++ exceptions in flight over waits */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that catch blocks, rethrown exceptions and destructors that run while a stack is unwound
// may wait with the other members: the exception caught, and the counts of uncaught ones, are a
// member's.
// RUN: %members_test
#include "members.h"
#include <exception>
#include <stdexcept>
#include <string>

static std::exception_ptr handed[MEMBERS];

/* Waits while an exception passes by. */
struct waits_at_end {
  unsigned way;
  bool together;
  ~waits_at_end() {
    CHECK_EQ(std::uncaught_exceptions(), 1);
    if (together)
      pass_together(way);
    else
      pass_alone(way);
    try { /* another one, inside, is over before the first goes on */
      throw way;
    } catch (unsigned value) {
      pass_alone(way);
      CHECK_EQ(value, way);
      CHECK_EQ(std::uncaught_exceptions(), 1);
    }
    CHECK_EQ(std::uncaught_exceptions(), 1);
  }
};

static void unwind(int me, unsigned way) {
  try {
    waits_at_end first{way, false}, second{way, true};
    throw me;
  } catch (int value) {
    CHECK_EQ(std::uncaught_exceptions(), 0);
    CHECK_EQ(value, me);
  }
}

static void caught(int me, unsigned way) {
  try {
    try {
      throw std::runtime_error("error of " + std::to_string(me));
    } catch (const std::exception &e) {
      pass_together(way);
      CHECK_EQ(std::uncaught_exceptions(), 0);
      CHECK(e.what() == "error of " + std::to_string(me));
      pass_alone(way);
      try {
        throw 100 + me;
      } catch (...) {
        pass_together(way + 1);
        try {
          std::rethrow_exception(std::current_exception());
        } catch (int value) {
          pass_alone(way + 1);
          CHECK_EQ(value, 100 + me);
        }
      }
      throw;
    }
  } catch (const std::runtime_error &e) {
    pass_alone(way + 2);
    CHECK(e.what() == "error of " + std::to_string(me));
  }
  CHECK(std::current_exception() == nullptr);
}

/* What one member caught another throws again. */
static void hand_on(int me) {
  try {
    throw std::out_of_range(std::to_string(me));
  } catch (...) {
    handed[me] = std::current_exception();
    pass_together(0);
  }
  int from = (me + 3) % MEMBERS;
  try {
    std::rethrow_exception(handed[from]);
  } catch (const std::out_of_range &e) {
    pass_together(1);
    CHECK(e.what() == std::to_string(from));
  }
  handed[from] = nullptr;
  pass_together(0);
}

int main() {
  double end = check_seconds() + 1;
  for (int region = 0; region < 30 && (region == 0 || check_seconds() < end); region++) {
#pragma omp parallel num_threads(MEMBERS)
    for (unsigned way = 0; way < 5; way++) {
      int me = omp_get_thread_num();
      unwind(me, way);
      caught(me, way);
      hand_on(me);
    }
  }
  members_end();
  return 0;
}
