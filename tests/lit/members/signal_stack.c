/* signal_stack.c - a handler that asks for an alternative stack where the program has set none */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a handler with SA_ONSTACK has the thread's own stack where the program has set no
// other, and so room for large frames: in all members of a team larger than the CPUs, with handlers
// set before the first region and between regions, asynchronous ones and for faults; and that a
// stack which the program does set serves.
// RUN: %omp_build %s -o %t -DCHECK_MEMBERS=16
// RUN: %omp_run %t before
// RUN: %omp_run %t between
// RUN: %omp_run %t fault
// RUN: %omp_run %t given
// RUN: %nano %t before
// RUN: %nano %t between
// RUN: %nano %t fault
// RUN: %os %t between
#include "members.h"
#include <signal.h>
#include <string.h>

enum { ROOM = 400 * 1024, GIVEN = 128 * 1024 };

static volatile int most = 1 << 20;
static long handled;
static __thread char *low; /* of a stack that the program has set */
static __thread volatile int hits;

/* Frames of 4 KiB. */
__attribute__((noinline)) static int deep(volatile char *above, int bytes) {
  volatile char here[4096];
  here[0] = above ? (char)(above[0] + 1) : 1;
  if (bytes > 0 && bytes < most)
    (void)deep(here, bytes - 4096);
  return here[0];
}

static void on_signal(int number) {
  char *here = __builtin_frame_address(0);
  (void)number;
  if (low)
    CHECK(here >= low && here < low + GIVEN);
  else
    (void)deep(NULL, ROOM);
  hits++;
  __atomic_add_fetch(&handled, 1, __ATOMIC_RELAXED);
}

static void set_handlers(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK;
  CHECK_EQ(sigaction(SIGUSR1, &action, NULL), 0);
  CHECK_EQ(sigaction(SIGSEGV, &action, NULL), 0);
}

static void region(int number) {
#pragma omp parallel num_threads(MEMBERS)
  for (unsigned pass = 0; pass < 5; pass++) {
    if (number != 0) {
      int before = hits;
      raise(number);
      CHECK_EQ(hits, before + 1);
    }
    pass_alone(pass);
    pass_together(pass);
  }
}

/* Main's, for main: a stack belongs to the OS thread. */
static void give(void) {
  stack_t stack = {.ss_size = GIVEN}, now;
  CHECK(stack.ss_sp = malloc(GIVEN));
  CHECK_EQ(sigaltstack(&stack, NULL), 0);
  low = stack.ss_sp;
  for (int i = 0; i < 20; i++) {
    region(0);
    raise(SIGUSR1);
    CHECK_EQ(sigaltstack(NULL, &now), 0);
    CHECK(now.ss_sp == stack.ss_sp);
  }
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  omp_set_dynamic(0);
  if (strcmp(argv[1], "between"))
    set_handlers();
  if (!strcmp(argv[1], "given")) {
    give();
    return 0;
  }
  for (int i = 0; i < 100; i++)
    region(0);
  if (!strcmp(argv[1], "between")) {
    set_handlers();
    check_sleep_ms(30); /* the runtime looks for handlers every few ms, and after gaps */
  }
  for (int i = 0; i < 10; i++)
    region(strcmp(argv[1], "fault") ? SIGUSR1 : SIGSEGV);
  CHECK_EQ(handled, 10 * 5 * MEMBERS);
  return 0;
}
