/* sleepers.c - members that sleep do not keep others from working */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that while two of eight members (and while seven) are in system calls for 300 ms, all
// others do their work, with and without waits in the runtime. On a busy machine it may take
// several attempts to be in time, but the work is always done before the sleepers go on.
// RUN: %members_test
// RUN: env NTH_MEMBERS=nano %omp_run %t
#include "members.h"

enum { ATTEMPTS = 10, UNITS = 20 };

static int done;

static void work(int me) {
  for (int unit = 0; unit < UNITS; unit++) {
    check_busy(2000);
    if (me % 2)
      pass_alone((unsigned)(me + unit));
    __atomic_add_fetch(&done, 1, __ATOMIC_RELAXED);
  }
}

/* Sleeps; then stays, without a wait of the runtime, until the others are done. True when they were
   done in time. */
static bool sleep_through(int wanted) {
  usleep(300000);
  bool in_time = __atomic_load_n(&done, __ATOMIC_RELAXED) == wanted;
  CHECK_WAIT_UNTIL(__atomic_load_n(&done, __ATOMIC_RELAXED) == wanted);
  return in_time;
}

/* Sleepers are the members whose bit is set. */
static void region(unsigned sleepers) {
  int wanted = (MEMBERS - __builtin_popcount(sleepers)) * UNITS, attempt = 0;
  bool in_time = false;
  for (; !in_time && attempt < ATTEMPTS; attempt++) {
    in_time = true;
    done = 0;
#pragma omp parallel num_threads(MEMBERS) reduction(&& : in_time)
    {
      int me = omp_get_thread_num();
      pass_together(0);
      if (sleepers >> me & 1)
        in_time = sleep_through(wanted);
      else
        work(me);
      pass_together(0);
    }
  }
  CHECK(in_time);
}

int main(void) {
  region(1u << 0 | 1u << 1);
  region(1u << 3 | 1u << 6);
  region(0xffu & ~(1u << 5));
  region(1u << 7);
  members_end();
  return 0;
}
