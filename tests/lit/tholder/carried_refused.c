/* carried_refused.c - a program that can tell OS threads apart */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that created threads of a program that calls gettid() never run on their joiner's OS
// thread. With sanitizers none does in any program.
// UNSUPPORTED: emulated, sanitizer
// RUN: %th_test
#include "names.h"
#include <unistd.h>

static void *number(void *argument) {
  *(pid_t *)argument = gettid();
  return argument;
}

int main(void) {
  for (int i = 0; i < CHECK_TIMES(2000); i++) {
    pid_t other = 0;
    th_call(number, &other);
    CHECK(other != 0 && other != gettid());
  }
  return 0;
}
