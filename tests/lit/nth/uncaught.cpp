/* uncaught.cpp - exceptions that leave a nano-thread; unwinding through its stack */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that an exception that nobody catches ends the program by std::terminate, on a
// nano-thread's first stack and on a later one, and that a backtrace ends at the stack's first
// function.
// REQUIRES: base
// RUN: %nth_build %s -o %t && %omp_run %t
// RUN: %omp_run --status 42 %t first
// RUN: %omp_run --status 42 %t second
#include "check.h"
#include <exception>
#include <execinfo.h>
#include <nanogomp/nth.h>

static void trace(long *frames) {
  void *frame[50];
  *frames = backtrace(frame, 50);
}

static void throws() { throw 5; }

static void throws_later() {
  struct nth_desc *self = nth_self();
  nth_depadd(self, 2);
  nth_to_lrq(nth_processor(), nth_create_ls(throws, 0, self, 0));
  nth_block();
}

int main(int argc, char **argv) {
  std::set_terminate([] { _exit(42); });
  CHECK_EQ(nth_init(0), 0);
  struct nth_desc *me = nth_self();
  long frames = 0;
  CHECK_EQ(nth_depadd(me, 2), 0);
  if (argc == 1)
    CHECK_EQ(nth_to_lrq(0, nth_create_ls(trace, 0, me, 1, &frames)), 0);
  else if (!strcmp(argv[1], "first"))
    CHECK_EQ(nth_to_lrq(0, nth_create_ls(throws, 0, me, 0)), 0);
  else
    CHECK_EQ(nth_to_lrq(0, nth_create_ls(throws_later, 0, me, 0)), 0);
  CHECK_EQ(nth_block(), 0);
  CHECK(frames > 1 && frames < 10);
  CHECK_EQ(nth_exit(), 0);
  return 0;
}
