/* exceptions_tasks.cpp - C++ exceptions inside and around tasks */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks exceptions caught in a task while its thread waits inside a catch block for child tasks
// (which throw and catch too): the exception being handled is still the same one afterwards.
// RUN: %omp_test
#include "check.h"
#include <exception>
#include <stdexcept>
#include <string>

static long handled;

static std::string current_text() {
  try {
    throw;
  } catch (const std::exception &e) {
    return e.what();
  }
}

static void work(int depth, int id) {
  try {
    throw std::runtime_error(std::to_string(depth) + "." + std::to_string(id));
  } catch (const std::exception &e) {
    std::string mine = e.what();
    if (depth > 0)
      for (int child = 0; child < 3; child++) {
#pragma omp task firstprivate(depth, child)
        work(depth - 1, child);
      }
    /* Children run on this thread now, inside the handler. */
#pragma omp taskwait
    CHECK(e.what() == mine);
    CHECK(current_text() == mine);
#pragma omp atomic
    handled++;
  }
  CHECK(std::current_exception() == nullptr || depth < 4);
}

int main() {
  for (int round = 0; round < 20; round++) {
    handled = 0;
#pragma omp parallel
#pragma omp single
    work(4, 0);
    CHECK_EQ(handled, 1 + 3 + 9 + 27 + 81);
    /* A barrier inside a handler, with tasks to run there. */
#pragma omp parallel num_threads(3)
    {
      try {
        throw std::runtime_error("member " + std::to_string(omp_get_thread_num()));
      } catch (const std::exception &e) {
        std::string mine = e.what();
#pragma omp task
        work(2, 1);
        CHECK(current_text() == mine);
#pragma omp taskwait
        CHECK(current_text() == mine);
      }
#pragma omp barrier
      CHECK(std::current_exception() == nullptr);
    }
  }
  return 0;
}
