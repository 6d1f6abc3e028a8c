// untied.cpp - exceptions in untied tasks that are suspended
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that an exception which an untied task handles, or which is thrown and not yet caught,
// stays that task's while others run on its thread, in taskyield, taskwait and for a lock.
// RUN: %omp_test
// REQUIRES: nanogomp
// nanogomp-only: in libgomp the tasks that loop on taskyield never end.
#include "check.h"

#include <atomic>
#include <exception>
#include <string>

enum { TASKS = 200 };

static std::atomic<int> flag, caught, unwound;
static omp_lock_t lock;

struct unwinds {
  int number;
  ~unwinds() {
    CHECK_EQ(std::uncaught_exceptions(), 1);
#pragma omp taskyield
    CHECK_EQ(std::uncaught_exceptions(), 1);
    unwound++;
  }
};

static void handle(int i) {
  try {
    unwinds u = {i};
    throw std::string("task ") + std::to_string(i);
  } catch (const std::string &s) {
    while (!flag) {
#pragma omp taskyield
      CHECK_EQ(std::uncaught_exceptions(), 0);
    }
    int below = 0;
#pragma omp task untied shared(below)
    {
      try {
        throw i;
      } catch (int number) {
#pragma omp taskyield
        below = number;
      }
    }
#pragma omp taskwait
    CHECK_EQ(below, i);
    omp_set_lock(&lock);
#pragma omp taskyield
    omp_unset_lock(&lock);
    try {
      throw;
    } catch (const std::string &again) {
      CHECK(&again == &s && s == "task " + std::to_string(i));
      caught++;
    }
  }
}

int main() {
  omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < TASKS; i++) {
#pragma omp task untied
      handle(i);
    }
    flag = 1;
  }
  CHECK_EQ(caught, TASKS);
  CHECK_EQ(unwound, TASKS);
  omp_destroy_lock(&lock);
  return 0;
}
