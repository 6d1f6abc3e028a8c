/* signals.c - signals of the process that all threads block but one that waits for them */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that no OS thread that was held for other created threads, when the signal was not blocked
// yet, takes it: its usual action would end the process.
// UNSUPPORTED: emulated
// RUN: %th_test
#include "names.h"
#include <signal.h>

static void *sleeps(void *argument) {
  check_sleep_ms(1);
  return argument;
}

static void *waits(void *set) {
  int got = 0;
  CHECK_EQ(sigwait(set, &got), 0);
  CHECK_EQ(got, SIGUSR2);
  return set;
}

int main(void) {
  enum { THREADS = 8 };
  tholder_t t[THREADS];
  for (int i = 0; i < THREADS; i++)
    t[i] = th_start(sleeps, NULL);
  for (int i = 0; i < THREADS; i++)
    CHECK(th_result(t[i]) == NULL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  CHECK_EQ(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
  for (int round = 0; round < CHECK_TIMES(20); round++) {
    tholder_t waiter = th_start(waits, &set);
    check_sleep_ms(round % 5);
    CHECK_EQ(kill(getpid(), SIGUSR2), 0);
    CHECK(th_result(waiter) == &set);
  }
  return 0;
}
