/* counters_signal.c - nth_counters() in a signal handler */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The signal comes while threads begin and leave teams: the handler waits for none of them.
// nanogomp-only: libgomp has no such function.
// REQUIRES: nanogomp
// UNSUPPORTED: emulated, sanitizer
// RUN: %omp_build %s -o %t -I%S/../../../abi/include && %omp_run %t
#include "check.h"

#include <dlfcn.h>
#include <nanogomp/counters.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

enum { ROOM = 64, ROUNDS = 400, EVERY_US = 50 };
static size_t (*read_all)(struct nth_counter *, size_t, size_t);
static volatile sig_atomic_t reads;

static void look(int signal) {
  static struct nth_counter now[ROOM];
  (void)signal;
  reads += read_all(now, ROOM, sizeof *now) > 0;
}

static void *root(void *unused) {
#pragma omp parallel num_threads(3)
  __asm__ volatile("");
  return unused;
}

int main(void) {
  struct itimerval every = {{0, EVERY_US}, {0, EVERY_US}}, never = {{0, 0}, {0, 0}};
  *(void **)&read_all = dlsym(RTLD_DEFAULT, "nth_counters");
  CHECK(read_all);
  CHECK(signal(SIGALRM, look) != SIG_ERR);
  CHECK_EQ(setitimer(ITIMER_REAL, &every, NULL), 0);
  for (int i = 0; i < ROUNDS; i++) {
    pthread_t t;
    CHECK_EQ(pthread_create(&t, NULL, root, NULL), 0);
    root(NULL);
    CHECK_EQ(pthread_join(t, NULL), 0);
  }
  CHECK_EQ(setitimer(ITIMER_REAL, &never, NULL), 0);
  CHECK(reads > 0);
  return 0;
}
