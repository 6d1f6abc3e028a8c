/* idle_wait.c - who waits for certain tasks sleeps, though others have tasks for somebody else */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a member that waits for a child, or for the end of a taskgroup, sleeps until it is
// woken, and does not look again and again, while another member keeps tasks that the waiter may
// not start. On a busy machine it may have to look again: the best of some rounds counts.
// REQUIRES: nanogomp
// UNSUPPORTED: sanitizer
// RUN: %omp_build %s -o %t
// RUN: env OMP_WAIT_POLICY=passive %omp_run %t
// RUN: env -u OMP_WAIT_POLICY OMP_NUM_THREADS=2 %omp_run %t
#define _GNU_SOURCE
#include "check.h"

#include <sys/resource.h>

enum { MS = 300 };

static _Atomic(bool) running, over;
static _Atomic(int) ran;
static bool slept[2]; /* for a child; for a group's end */

static struct rusage used(void) {
  struct rusage use;
  CHECK_EQ(getrusage(RUSAGE_THREAD, &use), 0);
  return use;
}

static double seconds(struct timeval t) { return (double)t.tv_sec + 1e-6 * (double)t.tv_usec; }

static void waits(bool group) {
  struct rusage before;
#pragma omp taskgroup
  {
#pragma omp task
    {
      running = true;
      check_sleep_ms(MS);
    }
    CHECK_WAIT_UNTIL(running); /* another one has it */
    check_sleep_ms(30);
    before = used();
    if (!group) {
#pragma omp taskwait
    }
  }
  struct rusage after = used();
  slept[group] |= after.ru_nvcsw - before.ru_nvcsw < 40 && /* with some for yields */
                  seconds(after.ru_utime) + seconds(after.ru_stime) - seconds(before.ru_utime) -
                          seconds(before.ru_stime) <
                      0.3e-3 * MS;
  over = true;
}

static void keeps(void) {
  CHECK_WAIT_UNTIL(running);
  for (int i = 0; i < 9; i++) {
#pragma omp task
    ran++;
  }
  CHECK_WAIT_UNTIL(over);
}

int main(void) {
  for (int r = 0; r < 12 && !(slept[0] && slept[1]); r++) {
    running = over = false;
    ran = 0;
#pragma omp parallel num_threads(3)
    {
      int me = omp_get_thread_num();
      if (me == 0) {
#pragma omp task if (0)
        waits(r % 2);
      } else if (me == 1) {
        keeps();
      }
    }
    CHECK_EQ(ran, 9);
  }
  CHECK(slept[0]);
  CHECK(slept[1]);
  return 0;
}
