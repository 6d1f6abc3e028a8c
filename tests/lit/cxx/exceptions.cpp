/* exceptions.cpp - C++ exceptions caught inside regions */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each member may throw and catch its own exceptions inside parallel, for, single,
// critical and ordered, nested catches and rethrow, uncaught_exceptions and unwinding destructors.
// RUN: %omp_test
#include "check.h"
#include <exception>
#include <stdexcept>
#include <string>

static thread_local int live;

struct guard {
  guard() { live++; }
  ~guard() { live--; }
};

static int thrower(int k) {
  guard g;
  if (k % 3 == 0)
    throw k;
  if (k % 3 == 1)
    throw std::runtime_error("error " + std::to_string(k));
  return k;
}

static int caught(int k) {
  try {
    try {
      guard g;
      return thrower(k);
    } catch (const std::exception &e) {
      CHECK(e.what() == "error " + std::to_string(k));
      throw;
    }
  } catch (int value) {
    CHECK_EQ(value, k);
    return -value;
  } catch (const std::runtime_error &) {
    return 1000000 + k;
  }
}

static long expected(int k) { return k % 3 == 0 ? -k : k % 3 == 1 ? 1000000 + k : k; }

int main() {
  for (int round = 0; round < 20; round++) {
    long sum = 0, want = 0;
    int turn = 0;
#pragma omp parallel reduction(+ : sum)
    {
#pragma omp for schedule(dynamic, 3)
      for (int k = 0; k < 300; k++)
        sum += caught(k);
#pragma omp single
      CHECK_EQ(caught(7), 1000007);
#pragma omp critical
      CHECK_EQ(caught(9), -9);
#pragma omp for ordered schedule(static, 1)
      for (int k = 0; k < 60; k++) {
#pragma omp ordered
        {
          CHECK_EQ(caught(k), expected(k));
          CHECK_EQ(turn++, k);
        }
      }
      CHECK_EQ(live, 0);
      CHECK_EQ(std::uncaught_exceptions(), 0);
      CHECK(std::current_exception() == nullptr);
    }
    for (int k = 0; k < 300; k++)
      want += expected(k);
    CHECK_EQ(sum, want);
  }
  return 0;
}
