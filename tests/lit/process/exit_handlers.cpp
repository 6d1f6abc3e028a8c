/* exit_handlers.cpp - regions in exit handlers, destructors and constructors */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that regions work before main (in a constructor), in atexit handlers and in destructors of
// static objects, after main has used the runtime.
// RUN: %omp_build %s -o %t && %omp_run %t > %t.out && %FileCheck %s < %t.out
// CHECK: constructor 3
// CHECK-NEXT: main 4
// CHECK-NEXT: handler 2
// CHECK-NEXT: destructor 3
#include "check.h"

static void region(const char *where, int size) {
  int members = 0;
  long sum = 0;
#pragma omp parallel num_threads(size) reduction(+ : members)
  {
    members++;
#pragma omp for schedule(dynamic) reduction(+ : sum)
    for (int i = 0; i < 100; i++)
      sum += i;
  }
  CHECK_EQ(members, size);
  CHECK_EQ(sum, 4950);
  printf("%s %d\n", where, members);
  fflush(stdout);
}

struct object {
  object() { region("constructor", 3); }
  ~object() { region("destructor", 3); }
};

static object the_object;

int main() {
  atexit([] { region("handler", 2); });
  region("main", 4);
  return 0;
}
