/* fork_walk.c - a forked child ends with its threads, whatever the loader's lock does */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a child whose C library has the loader's lock taken for good opens regions with more
// members than CPUs, and ends with exit status 0 when its first thread returns; that its signal
// handlers, its signal mask and its wait() see nothing of how it finds out about the lock.
// nanogomp-only: libgomp's child hangs.
// REQUIRES: nanogomp
// The sanitizers of gcc 12 do not unlock their allocators in a forked child.
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_test
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>

#include "children.h"
#include "walker.h"

enum { ROUNDS = 4, MEMBERS = 64, MASK_BYTES = 8 }; /* bytes of a mask that the kernel knows */
static int members, signals;

static void on_signal(int number) {
  (void)number;
  signals++;
}

static void region(void) {
  members = 0;
#pragma omp parallel num_threads(MEMBERS)
  __atomic_fetch_add(&members, 1, __ATOMIC_RELAXED);
  CHECK(members > 0);
}

static void *forks(void *walker_too) {
  pthread_t walker;
  if (walker_too)
    walker = walker_begin();
  pid_t child = fork();
  if (child == 0) {
    sigset_t before, after;
    CHECK_EQ(pthread_sigmask(SIG_SETMASK, NULL, &before), 0);
    signal(SIGCHLD, on_signal);
    signal(SIGALRM, on_signal);
    region();
    CHECK_EQ(signals, 0);
    CHECK_EQ(wait(NULL), -1);
    CHECK_EQ(errno, ECHILD);
    CHECK_EQ(pthread_sigmask(SIG_SETMASK, NULL, &after), 0);
    CHECK_EQ(memcmp(&before, &after, MASK_BYTES), 0);
    signal(SIGALRM, SIG_DFL);
    child_limit(30);
    return NULL;
  }
  expect_child(child, 0);
  if (walker_too)
    walker_end(walker);
  return NULL;
}

int main(void) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_t t;
    CHECK_EQ(pthread_create(&t, NULL, forks, i % 2 ? &inside : NULL), 0);
    CHECK_EQ(pthread_join(t, NULL), 0);
  }
  return 0;
}
