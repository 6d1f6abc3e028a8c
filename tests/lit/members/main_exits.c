/* main_exits.c - pthread_exit of main after regions of eight */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a process whose main thread ends by pthread_exit after flat and nested regions ends
// soon, with status 0, and that the destructors of the main thread's keys have run; and that
// another root finishes its regions of eight after main has left.
// UNSUPPORTED: tsan
// (ThreadSanitizer has a thread of its own, which keeps the process.)
// RUN: %omp_build %s -o %t
// RUN: %nano --under 10 %t > %t.alone && %FileCheck %s < %t.alone
// RUN: %nano --under 20 %t other > %t.other && \
// RUN:   %FileCheck %s --check-prefixes=CHECK,OTHER < %t.other
// RUN: %os --under 20 %t other > %t.os && %FileCheck %s --check-prefixes=CHECK,OTHER < %t.os
// CHECK: {{^}}main has left{{$}}
// OTHER: {{^}}regions after main: 20{{$}}
#include "members.h"

static int left;

static void main_ends(void *unused) {
  (void)unused;
  puts("main has left");
  fflush(stdout);
  __atomic_store_n(&left, 1, __ATOMIC_RELEASE);
}

static void *root(void *unused) {
  int regions = 0;
  long sum = 0;
  while (!__atomic_load_n(&left, __ATOMIC_ACQUIRE))
    check_sleep_ms(1);
  for (; regions < 20; regions++) {
#pragma omp parallel num_threads(MEMBERS) reduction(+ : sum)
    for (unsigned way = 0; way < WAYS_ALONE; way++) {
      pass_alone(way);
      pass_together(way);
      sum++;
    }
  }
  CHECK_EQ(sum, 20 * MEMBERS * WAYS_ALONE);
  printf("regions after main: %d\n", regions);
  members_end();
  fflush(stdout);
  return unused;
}

int main(int argc, char **argv) {
  pthread_key_t key;
  CHECK_EQ(pthread_key_create(&key, main_ends), 0);
  CHECK_EQ(pthread_setspecific(key, &left), 0);
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(MEMBERS)
  for (unsigned way = 0; way < WAYS_ALONE; way++) {
    pass_alone(way);
    pass_together(way);
  }
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(4)
  pass_together(0);
  if (argc > 1 && strcmp(argv[1], "other") == 0) {
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, root, NULL), 0);
    CHECK_EQ(pthread_detach(thread), 0);
  }
  pthread_exit(NULL);
}
