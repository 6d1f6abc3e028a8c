/* exit.c - exit, quick_exit, _exit and abort from any member end the process */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the process ends soon with the right status from member 0, from another member, from
// a nested member, from a task and from another root, whatever the others are doing meanwhile, and
// that exit handlers run once.
// RUN: %omp_build %s -o %t
// RUN: %omp_run --status 7 --under 20 %t member 0 > %t.0 && grep -c handler %t.0
// RUN: %omp_run --status 7 --under 20 %t member 1 > %t.1 && grep -c handler %t.1
// RUN: %omp_run --status 7 --under 20 %t nested 1 > %t.2 && grep -c handler %t.2
// RUN: %omp_run --status 7 --under 20 %t task 0 > %t.3 && grep -c handler %t.3
// RUN: %omp_run --status 7 --under 20 %t root 0 > %t.4 && grep -c handler %t.4
// RUN: %omp_run --status 8 --under 20 %t quick 1 > %t.5
// RUN: %omp_run --status 9 --under 20 %t _exit 1 > %t.6
// RUN: %omp_run --status SIGABRT --under 20 %t abort 1 > %t.7
// RUN: cat %t.0 %t.1 %t.2 %t.3 %t.4 %t.5 %t.6 %t.7 | %FileCheck %s
// CHECK-COUNT-5: {{^}}handler{{$}}
// CHECK-NEXT: {{^}}quick handler{{$}}
// CHECK-NOT: handler
#include "check.h"
#include <pthread.h>

static const char *mode;

static void handler(void) { puts("handler"); }

static void quick_handler(void) {
  puts("quick handler");
  fflush(stdout);
}

static void leave(void) {
  check_sleep_ms(20);
  if (strcmp(mode, "quick") == 0)
    quick_exit(8);
  if (strcmp(mode, "_exit") == 0)
    _exit(9);
  if (strcmp(mode, "abort") == 0)
    abort();
  exit(7);
}

/* What the other members do: wait at a barrier, spin, sleep, hold a lock. */
static void be_busy(int me) {
  volatile int spin = 1;
  static omp_lock_t lock;
  if (me % 4 == 1) {
    omp_set_lock(&lock);
    omp_set_lock(&lock);
  }
  while (me % 4 == 2 && spin)
    ;
  while (me % 4 == 3)
    check_sleep_ms(1000);
#pragma omp barrier
}

static void *root(void *unused) {
#pragma omp parallel num_threads(3)
  if (omp_get_thread_num() == 0)
    leave();
  else
    be_busy(omp_get_thread_num());
  return unused;
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 3);
  mode = argv[1];
  int who = atoi(argv[2]);
  atexit(handler);
  at_quick_exit(quick_handler);
  omp_set_max_active_levels(2);
  if (strcmp(mode, "root") == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, root, NULL);
#pragma omp parallel num_threads(2)
    be_busy(2 + omp_get_thread_num());
  }
#pragma omp parallel num_threads(5)
  if (omp_get_thread_num() != who) {
    be_busy(omp_get_thread_num());
  } else if (strcmp(mode, "nested") == 0) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
      leave();
  } else if (strcmp(mode, "task") == 0) {
#pragma omp task
    leave();
#pragma omp taskwait
  } else {
    leave();
  }
  return 1;
}
