/* called_cpu.c - a held thread that was called does not wait for a CPU beside an idle one */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a creator of two long threads makes way for the one that was called and has not come:
// one that sleeps moves it to its own CPU, one that runs a created thread itself moves it to
// another. In some of many rounds; the moves themselves are in unit/held_called.
// A tool: the tool's imports forbid it. With sanitizers no joiner runs a created thread.
// REQUIRES: nanogomp, base
// UNSUPPORTED: tool, emulated, sanitizer
// RUN: %th_build %s -o %t && %omp_run %t
#define _GNU_SOURCE
/* With an import of prctl() no joiner would run a created thread. */
#include <sys/prctl.h>
#define prctl(...) ((void)0)
#include "names.h"
#include <sched.h>
#include <string.h>
#include <time.h>

/* Functions of the program's own, in the C library's place: two CPUs, of which main has the first.
 */
enum { MAIN = 0, OTHER = 1, ROUNDS = CHECK_TIMES(3000) };
static int brought, sent;

int sched_getcpu(void) { return MAIN; }

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *mask) {
  (void)pid;
  memset(mask, 0, size);
  CPU_SET(MAIN, mask);
  CPU_SET(OTHER, mask);
  return 0;
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *mask) {
  (void)size;
  if (pid != 0 && CPU_COUNT(mask) == 1)
    __atomic_fetch_add(CPU_ISSET(MAIN, mask) ? &brought : &sent, 1, __ATOMIC_RELAXED);
  return 0;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *works(void *argument) {
  double end = now() + 2e-3;
  while (now() < end)
    ;
  return argument;
}

int main(void) {
  int rounds = 0;
  for (; rounds < ROUNDS && (brought == 0 || sent == 0); rounds++) {
    tholder_t a = th_start(works, NULL), b = th_start(works, NULL);
    th_result(a);
    th_result(b);
  }
  printf("%d rounds: %d brought, %d sent\n", rounds, brought, sent);
  CHECK(brought > 0 && sent > 0);
  return 0;
}
