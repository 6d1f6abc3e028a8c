/* roots_threads.c - the OS threads of many roots: as many as their last teams want */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks with eight root threads at once that the process has no more OS threads than the sum of
// the roots' last team sizes and the CPUs, after a while also when the teams were larger before;
// that all threads of the roots' teams are gone soon after the roots; and that the initial thread's
// team stays. nanogomp-only: libgomp keeps the threads of ended roots for others.
// Under OMP_WAIT_POLICY=active idle threads do not sleep, so they do not leave either.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t && env -u OMP_WAIT_POLICY %omp_run %t
#include "threads.h"

enum { ROOTS = 8, FIRST = 4, LAST = 3 };

static pthread_barrier_t gate;
static _Atomic(bool) over;
static int besides, own;

static void regions(int size, int count) {
  for (int i = 0; i < count; i++) {
    int members = 0;
#pragma omp parallel num_threads(size) reduction(+ : members)
    members++;
    CHECK_EQ(members, size);
  }
}

static void *root(void *argument) {
  int before = (int)(intptr_t)argument;
  regions(before, 20);
  regions(LAST, 20);
  pthread_barrier_wait(&gate); /* all teams are there */
  pthread_barrier_wait(&gate);
  while (!over) {
    regions(LAST, 1);
    check_sleep_ms(5);
  }
  return NULL;
}

static void wave(int before, bool at_once) {
  pthread_t thread[ROOTS];
  int most = own + ROOTS * LAST + omp_get_num_procs();
  over = false;
  for (int i = 0; i < ROOTS; i++)
    CHECK_EQ(pthread_create(&thread[i], NULL, root, (void *)(intptr_t)before), 0);
  pthread_barrier_wait(&gate);
  if (at_once)
    CHECK(threads_now() - besides <= most);
  pthread_barrier_wait(&gate);
  CHECK_WAIT_UNTIL(threads_now() - besides <= most);
  over = true;
  for (int i = 0; i < ROOTS; i++)
    CHECK_EQ(pthread_join(thread[i], NULL), 0);
  CHECK_WAIT_UNTIL(threads_now() - besides == own);
}

int main(void) {
  besides = threads_besides();
  own = FIRST;
  omp_set_dynamic(0);
  regions(FIRST, 10);
  CHECK_WAIT_UNTIL(threads_now() - besides == own); /* the watchdog has its name a little later */
  CHECK_EQ(pthread_barrier_init(&gate, NULL, ROOTS + 1), 0);
  wave(LAST, true);
  wave(7, false);
  wave(1, true);
  regions(FIRST, 10);
  CHECK_WAIT_UNTIL(threads_now() - besides == own); /* who was idle for long may be about to end */
  return 0;
}
