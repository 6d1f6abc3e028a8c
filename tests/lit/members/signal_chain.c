/* signal_chain.c - a handler that replaces another one inside a region, and calls it */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each handler of the chain is called once for each signal, in the region and after it,
// also where main's OS thread runs another member when the handlers are set, so that the runtime
// takes their place. Cases: a chain of two and of three; a handler that is taken back; and one that
// replaces another without calling it, and passes its signal on to main.
// RUN: %omp_build %s -o %t
// RUN: %nano %t two
// RUN: %nano %t three
// RUN: %nano %t back
// RUN: %nano %t pass
// RUN: env NTH_MEMBERS=nano %omp_run %t two
// RUN: %omp_run %t three
// RUN: %os %t two
#define _GNU_SOURCE
#include "check.h"
#include "guest.h"
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

enum { MOST = 100 };

static pthread_t main_thread;
static struct sigaction before[4]; /* each handler's */
static long calls[4];              /* of each handler */
static int handlers;               /* how many of them each signal goes to */
static long sent;

static long calls_of(int handler) { return __atomic_load_n(&calls[handler], __ATOMIC_RELAXED); }

static void count(int handler, int number) {
  CHECK(__atomic_add_fetch(&calls[handler], 1, __ATOMIC_RELAXED) <= MOST);
  struct sigaction *next = &before[handler];
  if (next->sa_flags & SA_SIGINFO)
    next->sa_sigaction(number, NULL, NULL);
  else if (next->sa_handler != SIG_DFL)
    next->sa_handler(number);
}
static void first(int number) { count(1, number); }
static void second(int number) { count(2, number); }
static void third(int number) { count(3, number); }

static void pass(int number) {
  if (pthread_equal(pthread_self(), main_thread))
    __atomic_add_fetch(&calls[0], 1, __ATOMIC_RELAXED);
  else
    pthread_kill(main_thread, number);
}

/* Sets the handler, then waits until the runtime has taken its place, if it does. */
static void set(int handler) {
  static void (*const all[])(int) = {pass, first, second, third};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = all[handler];
  CHECK_EQ(sigaction(SIGUSR1, &action, &before[handler]), 0);
  for (int i = 0; i < POLLS; i++) {
    struct sigaction now;
    CHECK_EQ(sigaction(SIGUSR1, NULL, &now), 0);
    if ((now.sa_flags & SA_SIGINFO) || now.sa_handler != action.sa_handler)
      break;
    check_sleep_ms(1);
  }
}

static void play(const char *how) {
  set(1);
  if (!strcmp(how, "pass")) {
    set(0);
    pthread_kill(main_thread, SIGUSR1);
    return;
  }
  set(2);
  if (!strcmp(how, "back"))
    CHECK_EQ(sigaction(SIGUSR1, &before[2], NULL), 0);
  if (!strcmp(how, "three"))
    set(3);
  if (syscall(SYS_gettid) != getpid()) {
    raise(SIGUSR1);
    sent++;
    CHECK_EQ(calls_of(1), sent);
  }
  pthread_kill(main_thread, SIGUSR1);
  sent++;
  handlers = !strcmp(how, "back") ? 1 : !strcmp(how, "two") ? 2 : 3;
}

/* Waits until each handler of the chain has been called for each signal; then none is left. */
static void await(int handlers) {
  for (int i = 1; i <= handlers; i++)
    CHECK_WAIT_UNTIL(calls_of(i) >= sent);
  check_sleep_ms(100);
  for (int i = 1; i <= 3; i++)
    CHECK_EQ(calls_of(i), i <= handlers ? sent : 0);
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  main_thread = pthread_self();
  make_members();
  beside_guest(play, argv[1]);
  if (handlers == 0) {
    CHECK_WAIT_UNTIL(calls_of(0) > 0);
    return 0;
  }
  await(handlers);
  raise(SIGUSR1);
  sent++;
  await(handlers);
  return 0;
}
