/* stack_attr.c - a member's stack is that of its pthread */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that pthread_getattr_np(pthread_self()) names the memory that holds the member's
// variables, before and after waits, in flat and in nested teams: collectors of garbage and
// language runtimes ask.
// RUN: %members_test
#include "members.h"
#include "memory.h"

static void local_is_inside(void) {
  char *low, *high, local;
  memory_stack(&low, &high);
  CHECK(&local >= low && &local < high);
}

int main(void) {
  omp_set_max_active_levels(2);
  double end = check_seconds() + 0.7;
  for (int region = 0; region < 20 && (region == 0 || check_seconds() < end); region++) {
#pragma omp parallel num_threads(MEMBERS)
    for (unsigned pass = 0; pass < 12; pass++) {
      local_is_inside();
      pass_alone(pass);
      local_is_inside();
      pass_together(pass);
    }
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(4)
    for (unsigned pass = 0; pass < 6; pass++) {
      local_is_inside();
      pass_together(pass);
    }
  }
  members_end();
  return 0;
}
