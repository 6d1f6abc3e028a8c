/* one_region.c - one compute construct */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>

int main(void) {
  puts("main");
#pragma acc parallel
  {}
  return 0;
}
