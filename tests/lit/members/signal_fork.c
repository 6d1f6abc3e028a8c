/* signal_fork.c - a fork while signals for main are kept back, as a member is on its OS thread */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the child gets none of them, also after regions of its own, has the program's handler
// back, and gets a signal of its own; and that the parent's main gets each of them.
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_build %s -o %t
// RUN: env NTH_MEMBERS=nano %omp_run %t
// RUN: %nano %t
// RUN: %os %t
#define _GNU_SOURCE
#include "../process/children.h"
#include "guest.h"
#include <pthread.h>
#include <string.h>

enum { ROUNDS = 20, TEAM = 8, KEPT = 2 };

static pthread_t main_thread;
static int claimed, over, sent;
static int came[2]; /* for each of signals[] */
static int signals[KEPT];

static void on_signal(int number, siginfo_t *info, void *context) {
  (void)info;
  (void)context;
  __atomic_add_fetch(&came[number == signals[1]], 1, __ATOMIC_RELAXED);
}

static void spin(double seconds) {
  for (double end = check_seconds() + seconds; check_seconds() < end;)
    check_busy(1000);
}

static bool is_replaced(int number) {
  struct sigaction now;
  CHECK_EQ(sigaction(number, NULL, &now), 0);
  return now.sa_sigaction != on_signal;
}

/* Sets the handlers, then waits until the runtime has taken their places, if it does. */
static void set(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO;
  for (int i = 0; i < KEPT; i++)
    CHECK_EQ(sigaction(signals[i], &action, NULL), 0);
  for (int i = 0; i < POLLS && !(is_replaced(signals[0]) && is_replaced(signals[1])); i++)
    spin(0.001);
}

static void child(void) {
  child_limit(60);
  came[0] = came[1] = 0;
  omp_set_max_active_levels(omp_get_active_level() + 1);
  for (double end = check_seconds() + 0.15; check_seconds() < end;) {
#pragma omp parallel num_threads(TEAM)
    {
      spin(0.002);
#pragma omp barrier
    }
  }
  CHECK_EQ(came[0], 0);
  CHECK_EQ(came[1], 0);
  CHECK(!is_replaced(signals[0]));
  CHECK_EQ(pthread_kill(pthread_self(), signals[0]), 0);
  CHECK_WAIT_UNTIL(__atomic_load_n(&came[0], __ATOMIC_RELAXED) == 1);
  _exit(0);
}

static void fork_here(void) {
  set();
  for (int i = 0; i < KEPT; i++)
    CHECK_EQ(pthread_kill(main_thread, signals[i]), 0);
  sent = 1;
  pid_t pid = fork();
  if (pid == 0)
    child();
  expect_child(pid, 0);
}

/* A member that finds itself on main's OS thread forks. Where none comes there for a while there is
   nothing to check. */
static void region(void) {
#pragma omp parallel num_threads(TEAM)
  {
    double end = check_seconds() + 0.03;
    while (omp_get_thread_num() != 0 && check_seconds() < end &&
           !__atomic_load_n(&over, __ATOMIC_RELAXED)) {
      if (syscall(SYS_gettid) == getpid() && !__atomic_exchange_n(&claimed, 1, __ATOMIC_RELAXED)) {
        fork_here();
        __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
      }
      spin(0.001);
    }
  }
}

int main(void) {
  main_thread = pthread_self();
  signals[0] = SIGUSR1;
  signals[1] = SIGRTMIN + 1;
  make_members();
  for (int i = 0; i < ROUNDS && !claimed; i++)
    region();
  for (int i = 0; i < KEPT; i++)
    CHECK_WAIT_UNTIL(__atomic_load_n(&came[i], __ATOMIC_RELAXED) == sent);
  return 0;
}
