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
// Threads that serve the whole process do not keep it: those for NTH_SHARE, requests, stalls, and
// the one that follows a quota.
// RUN: env NTH_SHARE=lit-main-exits NTH_STALL=600 %omp_run --under 5 %t
// RUN: rm -rf %t.d && mkdir -p %t.d/proc/self %t.d/sys/fs/cgroup/box
// RUN: env NTH_SHARE=%t.d NTH_STALL_SIGNAL=USR1 %omp_run --under 5 %t
// RUN: echo 0::/box > %t.d/proc/self/cgroup
// RUN: echo 30 20 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw > %t.d/proc/self/mountinfo
// RUN: echo 200000 100000 > %t.d/sys/fs/cgroup/box/cpu.max
// RUN: env NTH_TEST_CGROUP_ROOT=%t.d %omp_run --under 5 %t
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
