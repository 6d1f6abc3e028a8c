/* exit.cpp - exit and abort by a member of a team larger than the machine */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that exit() from a member other than 0 ends the process at once with its status, whatever
// the others do (barrier, critical, sleep, spin, a mutex), runs that member's thread_local
// destructor before the exit handler, both once and in the member's identity; nested; and that
// abort ends it.
// LeakSanitizer looks through the stacks on which it stops the OS threads. What only a member that
// waits elsewhere refers to, it takes for lost.
// UNSUPPORTED: asan
// RUN: %omp_build %s -o %t
// RUN: %nano --status 7 --under 20 %t exit 5 > %t.1 && %FileCheck %s < %t.1
// RUN: %nano --status 7 --under 20 %t exit 0 > %t.2 && %FileCheck %s < %t.2
// RUN: %nano --status 7 --under 20 %t nested 6 > %t.3 && %FileCheck %s < %t.3
// RUN: %nano --status SIGABRT --under 20 %t abort 5
// RUN: %os --status 7 --under 20 %t exit 5 > %t.4 && %FileCheck %s < %t.4
// CHECK-NOT: another
// CHECK: {{^}}thread_local of the caller{{$}}
// CHECK-NEXT: {{^}}handler in the caller{{$}}
// CHECK-NOT: {{(another|caller)}}
#include "members.h"

static pthread_t caller;
static thread_local struct object {
  bool used = false;
  ~object() {
    if (used && pthread_equal(caller, pthread_self()))
      puts("thread_local of the caller");
    else
      puts("thread_local of another");
  }
} mine;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void handler() {
  puts(pthread_equal(caller, pthread_self()) ? "handler in the caller" : "handler in another");
}

static void leave(bool by_abort) {
  CHECK_WAIT_UNTIL(__atomic_load_n(&ready, __ATOMIC_RELAXED) == MEMBERS - 1);
  for (unsigned way = 2; way < 5; way++)
    pass_alone(way);
  caller = pthread_self();
  if (by_abort)
    abort();
  exit(7);
}

/* Each is busy in another way, and never comes back. */
static void be_busy(int me) {
  volatile bool spin = true;
  __atomic_add_fetch(&ready, 1, __ATOMIC_RELAXED);
  switch (me % 4) {
  case 0:
    while (spin) {}
    break;
  case 1:
#pragma omp critical(busy)
    for (;;)
      check_sleep_ms(1000);
    break;
  case 2: pthread_mutex_lock(&mutex); /* main has it */
  }
#pragma omp barrier
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 3);
  int who = atoi(argv[2]);
  bool by_abort = strcmp(argv[1], "abort") == 0, nested = strcmp(argv[1], "nested") == 0;
  pthread_mutex_lock(&mutex);
  atexit(handler);
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(MEMBERS)
  {
    mine.used = true;
    for (unsigned way = 0; way < WAYS_ALONE; way++) {
      pass_alone(way);
      pass_together(way);
    }
    if (omp_get_thread_num() != who) {
      be_busy(omp_get_thread_num());
    } else if (nested) {
#pragma omp parallel num_threads(2)
      {
        mine.used = true;
        pass_together(0);
        if (omp_get_thread_num() == 1)
          leave(false);
        pass_together(0);
      }
    } else {
      leave(by_abort);
    }
  }
  return 1;
}
