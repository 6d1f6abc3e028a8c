/* main_exits.c - pthread_exit of main */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a process whose main called pthread_exit after a region ends at once with status 0,
// and that otherwise it lives until the other roots' regions are done.
// UNSUPPORTED: tsan
// (ThreadSanitizer has a thread of its own, which keeps the process.)
// RUN: %omp_build %s -o %t
// RUN: %omp_run --under 5 %t
// RUN: %omp_run --under 20 %t others > %t.out && %FileCheck %s < %t.out
// RUN: %omp_run --under 5 %t nested
// CHECK: {{^}}done 3 of 3{{$}}
#include "check.h"
#include <pthread.h>

static int finished;

static void *root(void *unused) {
  for (int i = 0; i < 100; i++) {
    long sum = 0;
    int size = 2 + i % 3;
#pragma omp parallel num_threads(size) reduction(+ : sum)
    sum += omp_get_thread_num();
    CHECK_EQ(sum, size * (size - 1) / 2);
    check_sleep_ms(1);
  }
  int done;
#pragma omp atomic capture
  done = ++finished;
  if (done == 3) {
    printf("done %d of 3\n", done);
    fflush(stdout);
  }
  return unused;
}

int main(int argc, char **argv) {
  long sum = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3) reduction(+ : sum)
  {
    sum++;
    if (argc > 1 && strcmp(argv[1], "nested") == 0) {
#pragma omp parallel num_threads(2) reduction(+ : sum)
      sum++;
    }
  }
  CHECK(sum >= 3);
  if (argc > 1 && strcmp(argv[1], "others") == 0) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    for (int i = 0; i < 3; i++)
      CHECK_EQ(pthread_create(&thread, &attributes, root, NULL), 0);
  }
  pthread_exit(NULL);
}
