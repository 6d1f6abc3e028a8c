/* getcpu.c - sched_getcpu tells the CPU that runs the member */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that sched_getcpu, which the C library may read from memory that the kernel writes for
// one OS thread, says what the system call says. They may differ when the OS thread was moved in
// between and back: a few in a thousand do no harm.
// RUN: %members_test
#include "members.h"
#include <sched.h>

int main(void) {
  long asked = 0, wrong = 0;
  for (double end = check_seconds() + 0.7; check_seconds() < end;) {
#pragma omp parallel num_threads(MEMBERS) reduction(+ : asked, wrong)
    for (unsigned pass = 0; pass < 40; pass++) {
      unsigned cpu = ~0u;
      int before = sched_getcpu();
      CHECK_EQ(syscall(SYS_getcpu, &cpu, NULL, NULL), 0);
      int after = sched_getcpu();
      CHECK(before >= 0);
      if (before == after) {
        asked++;
        wrong += (unsigned)before != cpu;
      }
      check_busy(2000);
      pass_alone(pass);
      if (pass % 4 == 0)
        pass_together(pass / 4);
    }
  }
  printf("wrong: %ld of %ld\n", wrong, asked);
  CHECK(asked > 0);
  CHECK(wrong <= 3 + asked / 100);
  members_end();
  return 0;
}
