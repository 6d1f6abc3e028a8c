/* signals.c - signals while members wait, work and are created */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a program's timer signals, delivered to any thread at any place, disturb neither
// barriers, locks, tasks nor results, that errno survives, and that members inherit a blocked mask.
// RUN: %omp_test
#include "children.h"
#include <pthread.h>
#include <sys/time.h>

static volatile long ticks;

static void tick(int number) {
  int saved = errno;
  (void)number;
  __atomic_add_fetch(&ticks, 1, __ATOMIC_RELAXED);
  errno = saved;
}

/* A root that began with SIGUSR1 blocked: so do the threads that serve it. */
static void *masked_root(void *unused) {
#pragma omp parallel num_threads(2)
  {
    sigset_t mine;
    pthread_sigmask(SIG_BLOCK, NULL, &mine);
    CHECK(sigismember(&mine, SIGUSR1));
  }
  return unused;
}

int main(void) {
  struct sigaction action = {0};
  struct itimerval every = {{0, 500}, {0, 500}};
  action.sa_handler = tick; /* no SA_RESTART: waits in the kernel end with EINTR */
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &every, NULL);
  double end = check_seconds() + 1.5;
  for (int round = 0; check_seconds() < end; round++)
    use_runtime(1 + round % 6);
  struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
  CHECK(__atomic_load_n(&ticks, __ATOMIC_RELAXED) > 20); /* one may still run */
  sigset_t set, old;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, &old);
  pthread_t root;
  CHECK_EQ(pthread_create(&root, NULL, masked_root, NULL), 0);
  pthread_join(root, NULL);
  return 0;
}
