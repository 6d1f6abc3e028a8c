// untied_asan.cpp - untied tasks of a program with the address sanitizer, on a library without one
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the sanitizer knows on which stack an untied task runs: after an exception it reports
// no error where there is none, and it takes nothing for lost that a suspended task has. It still
// finds a task's errors.
// RUN: %omp_build %s -o %t -fsanitize=address -fno-omit-frame-pointer
// RUN: %omp_run %t 2>&1 | %FileCheck %s
// RUN: env ASAN_OPTIONS=detect_stack_use_after_return=1 %omp_run %t 2>&1 | %FileCheck %s
// RUN: %omp_run %t exit
// RUN: %omp_run --status 1 %t error 2>&1 | %FileCheck --check-prefix=ERROR %s
// CHECK-NOT: Sanitizer
// CHECK: all right
// ERROR: AddressSanitizer: stack-buffer-overflow
// REQUIRES: address-sanitizer
#include "check.h"

#include <atomic>
#include <cstring>
#include <stdexcept>

enum { TASKS = 500 };

static std::atomic<int> caught;

// Its frames are left without a return, with the sanitizer's marks between them.
[[gnu::noinline]] static int deep(int n) {
  volatile char frame[256];
  frame[n] = 1;
  if (n == 0)
    throw std::runtime_error("deep");
  return deep(n - 1) + frame[n];
}

// Its frame lies where the others were.
[[gnu::noinline]] static void wide(int length) {
  char frame[8000];
  std::memset(frame, 1, (size_t)length);
  __asm__ volatile("" : : "r"(frame) : "memory");
}

static void task() {
  try {
    deep(20);
  } catch (const std::exception &e) {
    wide(8000);
#pragma omp taskyield
    wide(8000);
    CHECK_STREQ(e.what(), "deep");
  }
#pragma omp task untied
  wide(8000);
#pragma omp taskwait
  wide(8000);
  caught++;
}

// The task has the only pointer to its memory, while the process ends.
static void exit_while_suspended() {
  std::atomic<bool> begun(false);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task untied shared(begun)
    {
      char *volatile mine = new char[100];
      std::memset(mine, 0, 100);
      begun = true;
#pragma omp taskyield
      delete[] mine;
    }
#pragma omp task untied shared(begun)
    {
      while (!begun) {
#pragma omp taskyield
      }
      std::exit(0);
    }
  }
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (std::strcmp(what, "exit") == 0)
    exit_while_suspended();
  int length = std::strcmp(what, "error") == 0 ? 8001 : 8000;
  for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < TASKS; i++) {
#pragma omp task untied firstprivate(length)
      {
        task();
        wide(length);
      }
    }
    wide(8000);
  }
  CHECK_EQ(caught, 3 * TASKS);
  std::puts("all right");
  return 0;
}
