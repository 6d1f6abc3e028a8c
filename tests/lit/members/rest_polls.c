/* rest_polls.c - members that wait at a barrier use no CPU while one sleeps, also after they met */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members that meet by sched_yield get OS threads of their own. One that comes to a barrier next
// may be put into the queue of its OS thread, at rest, before it has said for what it waits. The
// OS thread has to run that member, and must not look at its queue for ever. Without that, half of
// the runs fail.
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_build %s -o %t
// RUN: env OMP_WAIT_POLICY=passive %omp_run %t
#include "check.h"
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MEMBERS = 4, SLEEP_MS = 30, MOST_MS = 15 };
#define SECONDS 3.0

static int met; /* atomic */

static double cpu_ms(void) {
  struct rusage use;
  CHECK_EQ(getrusage(RUSAGE_SELF, &use), 0);
  return 1e3 * (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
         1e-3 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

static void meet(void) {
  __atomic_add_fetch(&met, 1, __ATOMIC_RELAXED);
  while (__atomic_load_n(&met, __ATOMIC_RELAXED) < MEMBERS)
    sched_yield();
}

/* Returns the CPU time that the process used while one member slept, ms. */
static double round_of(uint64_t *seed) {
  uint32_t sleeper = check_random(seed) % MEMBERS, before = check_random(seed) % 3,
           meets = check_random(seed) % 3, barriers = 1 + check_random(seed) % 3;
  double used = 0;
  met = 0;
#pragma omp parallel num_threads(MEMBERS)
  {
    for (uint32_t i = 0; i < before; i++) {
#pragma omp barrier
    }
    if (meets != 0)
      meet();
    for (uint32_t i = 0; i < barriers; i++) {
      if ((uint32_t)omp_get_thread_num() == (sleeper + i) % MEMBERS) {
        used = -cpu_ms();
        usleep(SLEEP_MS * 1000);
        used += cpu_ms();
      } else {
        usleep((unsigned)omp_get_thread_num() * 300);
      }
#pragma omp barrier
    }
  }
  return used;
}

int main(void) {
  uint64_t seed = 4;
  double end = omp_get_wtime() + SECONDS;
  while (omp_get_wtime() < end)
    CHECK(round_of(&seed) < MOST_MS);
  return 0;
}
