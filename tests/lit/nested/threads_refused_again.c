/* threads_refused_again.c - threads that have left and cannot be made again cost no memory */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that memory in use does not grow when members' threads have left, the system refuses new ones in
// the next region, and the program pauses the runtime then, again and again; regions are right all the time.
// nanogomp-only: libgomp ends the program when a thread is refused.
// REQUIRES: nanogomp
// UNSUPPORTED: sanitizer
// RUN: %omp_build %s -o %t -ldl
// RUN: %omp_run %t
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>

#include "check.h"

enum { ROUNDS = 4, OUTER = 2, INNER = 3, NOISE = 6000 /* a member has 4700, two are tried a round */ };

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
  size_t before = 0;
  omp_set_max_active_levels(2);
  for (int round = 0; round < ROUNDS; round++) {
    CHECK_EQ(nest(), OUTER * INNER);
    check_sleep_ms(2500); /* the inner teams' threads leave */
    refused = 0;
    refuses = 1;
    CHECK_EQ(nest(), OUTER);
    CHECK(refused > 0);
    refuses = 0;
    CHECK_EQ(omp_pause_resource(omp_pause_soft, omp_get_initial_device()), 0);
    check_sleep_ms(1200); /* they end; for a second the runtime asks for no new ones */
    size_t now = mallinfo2().uordblks;
    fprintf(stderr, "%zu bytes in use\n", now);
    if (round == 1)
      before = now;
    if (round == ROUNDS - 1)
      CHECK(now < before + 2 * NOISE);
  }
  return 0;
}
