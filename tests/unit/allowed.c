/* allowed.c - whose affinity masks count for the number of CPUs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

#include "tests/unit/unit.h"

#include "runtime/place/places/allowed.h"

static cpu_set_t all, one;

static void *looks(void *number) {
  (void)nth_allowed_find();
  *(uint32_t *)number = nth_load_rlx(&nth_allowed.other);
  return 0;
}

static void binds(const cpu_set_t *set) {
  unit_check(sched_setaffinity(0, sizeof *set, set) == 0);
  (void)nth_allowed_find();
}

/* The initial thread is bound to one CPU. Another thread that is bound so makes that the number. */
static void two_threads(uint32_t cpus) {
  pthread_t thread;
  uint32_t other = 0;
  binds(&one);
  unit_check(nth_allowed_all() == cpus);
  unit_check(pthread_create(&thread, 0, looks, &other) == 0);
  pthread_join(thread, 0);
  unit_check(other != 0);
  unit_check(nth_allowed_all() == 1);
  binds(&all);
  unit_check(nth_allowed_all() == cpus);
}

/* The number of a thread that has ended is another process's by now, which is bound as the initial
 * thread is. */
static void another_process(uint32_t cpus) {
  binds(&one);
  pid_t child = fork();
  if (child == 0) {
    for (;;)
      pause();
  }
  unit_check(child > 0);
  nth_store_rlx(&nth_allowed.other, (uint32_t)child);
  (void)nth_allowed_find();
  uint32_t found = nth_allowed_all();
  kill(child, SIGKILL);
  unit_check(waitpid(child, 0, 0) == child);
  unit_check(found == cpus);
  binds(&all);
}

int main(void) {
  unit_begin();
  unit_check(sched_getaffinity(0, sizeof all, &all) == 0);
  nth_allowed_begin();
  CPU_ZERO(&one);
  for (unsigned i = 0; CPU_COUNT(&one) == 0; i++)
    if (CPU_ISSET(i, &all))
      CPU_SET(i, &one);
  uint32_t cpus = nth_allowed_find();
  if (cpus < 2)
    return 0;
  printf("two_threads\n");
  two_threads(cpus);
  printf("another_process\n");
  another_process(cpus);
  return 0;
}
