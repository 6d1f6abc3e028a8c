/* signals.c - signals to processes and to threads beside threads that have ended */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a signal to the process reaches the thread that waits for it and no thread that has
// ended, that one to a thread does not reach a later thread, and that changing the user, which goes
// to all threads, does not wait for one that has ended.
// UNSUPPORTED: sanitizer, emulated
// RUN: %hold_test
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "check.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

enum { N = 20 };
static int handled, ready;
static pthread_t waiter;

static void count(int signal) {
  (void)signal;
  __atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED);
}

static void *nothing(void *argument) { return argument; }

static void many(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    CHECK_EQ(pthread_create(&t[i], NULL, nothing, NULL), 0);
  for (int i = 0; i < N; i++)
    CHECK_EQ(pthread_join(t[i], NULL), 0);
}

static void *waits(void *set) {
  int got;
  for (int i = 0; i < N; i++) {
    CHECK_EQ(sigwait(set, &got), 0);
    CHECK_EQ(got, SIGUSR2);
    __atomic_store_n(&ready, i + 1, __ATOMIC_RELEASE);
  }
  return NULL;
}

/* Blocks a signal, and leaves one pending for itself. */
static void *leaves(void *argument) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  CHECK_EQ(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
  CHECK_EQ(pthread_kill(pthread_self(), SIGUSR1), 0);
  return argument;
}

int main(void) {
  sigset_t set;
  CHECK(signal(SIGUSR1, count) != SIG_ERR);
  many(); /* SIGUSR2 is not blocked in these; its default action ends the process */
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  CHECK_EQ(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
  CHECK_EQ(pthread_create(&waiter, NULL, waits, &set), 0);
  for (int i = 0; i < N; i++) {
    CHECK_EQ(kill(getpid(), SIGUSR2), 0);
    CHECK_WAIT_UNTIL(__atomic_load_n(&ready, __ATOMIC_ACQUIRE) == i + 1);
  }
  CHECK_EQ(pthread_join(waiter, NULL), 0);
  for (int i = 0; i < 50; i++) {
    pthread_t t;
    CHECK_EQ(pthread_create(&t, NULL, i % 2 ? leaves : nothing, NULL), 0);
    CHECK_EQ(pthread_join(t, NULL), 0);
    many();
    CHECK_EQ(__atomic_load_n(&handled, __ATOMIC_RELAXED), 0);
  }
  CHECK_EQ(setresuid(getuid(), geteuid(), geteuid()), 0);
  CHECK_EQ(setresgid(getgid(), getegid(), getegid()), 0);
  many();
  /* a thread that is sent signals while it ends */
  for (int i = 0; i < 200; i++) {
    pthread_t t;
    CHECK_EQ(pthread_create(&t, NULL, nothing, NULL), 0);
    for (int k = 0; k < i % 5; k++)
      CHECK_EQ(pthread_kill(t, SIGUSR1), 0);
    CHECK_EQ(pthread_join(t, NULL), 0);
    int before = __atomic_load_n(&handled, __ATOMIC_RELAXED);
    many();
    CHECK_EQ(__atomic_load_n(&handled, __ATOMIC_RELAXED), before);
  }
  return 0;
}
