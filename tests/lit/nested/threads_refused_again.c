/* threads_refused_again.c - threads that have left and cannot be made again cost no memory */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that memory in use does not grow when members' threads have left, the system refuses new
// ones in the next region, and the program pauses the runtime then, again and again; regions are
// right all the time. nanogomp-only: libgomp ends the program when a thread is refused.
// REQUIRES: nanogomp
// UNSUPPORTED: sanitizer
// RUN: %omp_build %s -o %t -ldl
// RUN: %omp_run %t
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "check.h"
#include "threads.h"

enum {
  ROUNDS = 4,
  OUTER = 2,
  INNER = 3,
  NOISE = 8 /* KiB; a member has 4.7, two are tried a round */
};

static _Atomic(int) refuses, refused;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument) {
  typedef int create_fn(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (refuses) {
    refused++;
    return EAGAIN;
  }
  return ((create_fn *)dlsym(RTLD_NEXT, "pthread_create"))(thread, attributes, start, argument);
}

/* KiB of the runtime's own memory that have been written: chunks of 1 MiB between guard pages,
 * mem/heap.h. */
static long written(void) {
  char line[512];
  bool chunk = false;
  long sum = 0;
  FILE *maps = fopen("/proc/self/smaps", "r");
  CHECK(maps);
  while (fgets(line, sizeof line, maps)) {
    unsigned long from, to, inode;
    char rights[8];
    if (sscanf(line, "%lx-%lx %7s %*s %*s %lu", &from, &to, rights, &inode) == 4)
      chunk = to - from == 1048576 && !strcmp(rights, "rw-p") && inode == 0;
    else if (chunk && !strncmp(line, "Rss:", 4))
      sum += atol(line + 4);
  }
  fclose(maps);
  CHECK(sum > 0);
  return sum;
}

static int nest(void) {
  int members = 0;
#pragma omp parallel num_threads(OUTER) reduction(+ : members)
  {
    int inside = 0;
#pragma omp parallel num_threads(INNER) reduction(+ : inside)
    inside++;
    members += inside;
  }
  return members;
}

int main(void) {
  long before = 0;
  int most = threads_besides() + OUTER;
  omp_set_max_active_levels(2);
  for (int round = 0; round < ROUNDS; round++) {
    CHECK_EQ(nest(), OUTER * INNER);
    CHECK_WAIT_UNTIL(threads_now() <= most); /* the inner teams' threads leave */
    refused = 0;
    refuses = 1;
    CHECK_EQ(nest(), OUTER);
    CHECK(refused > 0);
    refuses = 0;
    CHECK_EQ(omp_pause_resource(omp_pause_soft, omp_get_initial_device()), 0);
    check_sleep_ms(1200); /* they end; for a second the runtime asks for no new ones */
    long now = written();
    fprintf(stderr, "%ld KiB written\n", now);
    if (round == 1)
      before = now;
    if (round == ROUNDS - 1)
      CHECK(now < before + 2 * NOISE);
  }
  return 0;
}
