/* roots_first.c - root threads that open the first regions of the process at once */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each of them has whole teams, also nested ones. For ThreadSanitizer above all: what
// the first region sets up for the process is read by the others. A process has one such moment, so
// each round is a process of its own.
// RUN: %omp_test
#include "check.h"
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>

enum { MOST = 6 };

static int roots;
static _Atomic(int) ready;

static void *root(void *argument) {
  int size = 2 + (int)(intptr_t)argument % 2, members = 0, inner = 0;
  omp_set_max_active_levels(2);
  ready++;
  while (ready < roots) /* closer together than a pthread_barrier would start them */
    sched_yield();
#pragma omp parallel num_threads(size) reduction(+ : members)
  members++;
  CHECK_EQ(members, size);
#pragma omp parallel num_threads(2) reduction(+ : inner)
#pragma omp parallel num_threads(size) reduction(+ : inner)
  inner++;
  CHECK_EQ(inner, 2 * size);
  return NULL;
}

static void start_roots(void) {
  pthread_t threads[MOST];
  for (intptr_t i = 0; i < roots; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, root, (void *)i), 0);
  for (int i = 0; i < roots; i++)
    CHECK_EQ(pthread_join(threads[i], NULL), 0);
}

int main(void) {
  double end = check_seconds() + 0.5;
  for (int round = 0; round < 60 && (round < 4 || check_seconds() < end); round++) {
    int status;
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      roots = round % 4 == 3 ? MOST : 2;
      start_roots();
      exit(0); /* not _exit: ThreadSanitizer gives its verdict there */
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
  }
  return 0;
}
