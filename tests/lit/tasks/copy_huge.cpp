/* copy_huge.cpp - undeferred tasks whose firstprivate object is larger than a thread's stack */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the copy, which the program's constructor makes, is made and destroyed once.
// nanogomp-only: libgomp copies to the stack.
// REQUIRES: nanogomp
// RUN: %omp_test
#include "check.h"

static int made, destroyed;

struct object {
  char bytes[64 << 20];
  object() { bytes[0] = 1; }
  object(const object &other) {
    bytes[0] = other.bytes[0];
    made++;
  }
  ~object() { destroyed++; }
};

static object original;

int main() {
  for (int round = 0; round < 3; round++) {
#pragma omp task if (0) firstprivate(original)
    CHECK_EQ(original.bytes[0], 1);
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task if (0) firstprivate(original)
      CHECK_EQ(original.bytes[0], 1);
    }
  }
  CHECK_EQ(made, 6);
  CHECK_EQ(destroyed, 6);
  return 0;
}
