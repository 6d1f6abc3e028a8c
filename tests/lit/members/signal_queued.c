/* signal_queued.c - real-time signals for main, with values, while a member is on its OS thread */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each of them comes to main, in order, with its value and its sender, where their
// handler is set inside a region; that of a usual signal the value comes; in another run, that some
// come of more signals than the runtime keeps; and that one whose handler is given up later does
// not end the program.
// UNSUPPORTED: sanitizer
// (TSan's own handler keeps one signal of each number)
// RUN: %omp_build %s -o %t
// RUN: %nano %t few
// RUN: %nano %t many
// RUN: %nano %t given_up
// RUN: env NTH_MEMBERS=nano %omp_run %t few
// RUN: %omp_run %t few
// RUN: %os %t few
// RUN: %os %t many
// RUN: %os %t given_up
#define _GNU_SOURCE
#include "check.h"
#include "guest.h"
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

enum { QUEUED = 5, SENT = 3, MANY = 100, USUAL = 77 };

static pthread_t main_thread;
static int queued, plain, many; /* numbers of signals */
static long got_queued, got_plain, got_many, got_usual;

static void on_signal(int number, siginfo_t *info, void *context) {
  (void)context;
  if (number == queued) {
    CHECK_EQ(info->si_value.sival_int, ++got_queued);
    CHECK_EQ(info->si_code, SI_QUEUE);
    CHECK_EQ(info->si_pid, getpid());
  } else if (number == plain) {
    got_plain++;
  } else if (number == many) {
    got_many++;
  } else {
    CHECK_EQ(info->si_value.sival_int, USUAL);
    got_usual++;
  }
}

/* Sets the handler, then waits until the runtime has taken its place, if it does. */
static void set(int number) {
  struct sigaction action, now;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  CHECK_EQ(sigaction(number, &action, NULL), 0);
  for (int i = 0; i < POLLS; i++) {
    CHECK_EQ(sigaction(number, NULL, &now), 0);
    if (now.sa_sigaction != on_signal)
      break;
    check_sleep_ms(1);
  }
}

static void queue(int number, int value) {
  union sigval v = {.sival_int = value};
  CHECK_EQ(pthread_sigqueue(main_thread, number, v), 0);
}

/* The handler is there when the signal comes. */
static void give_up(void) {
  set(plain);
  CHECK_EQ(pthread_kill(main_thread, plain), 0);
  for (int i = 0; i < POLLS && !__atomic_load_n(&got_plain, __ATOMIC_RELAXED); i++)
    check_sleep_ms(1);
  signal(plain, SIG_DFL);
}

static void play(const char *how) {
  bool few = !strcmp(how, "few");
  if (!strcmp(how, "given_up")) {
    give_up();
    return;
  }
  set(many);
  set(plain);
  set(SIGUSR1);
  set(queued);
  for (int i = 0; !few && i < MANY; i++)
    queue(many, i);
  for (int i = 1; few && i <= QUEUED; i++)
    queue(queued, i);
  for (int i = 0; few && i < SENT; i++)
    CHECK_EQ(pthread_kill(main_thread, plain), 0);
  if (few)
    queue(SIGUSR1, USUAL);
}

/* Waits until so many have come; then no more do. */
static void await(const long *got, long least, long most) {
  CHECK_WAIT_UNTIL(__atomic_load_n(got, __ATOMIC_RELAXED) >= least);
  check_sleep_ms(30);
  CHECK(*got <= most);
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  bool few = !strcmp(argv[1], "few");
  main_thread = pthread_self();
  queued = SIGRTMIN + 1;
  plain = SIGRTMIN + 2;
  many = SIGRTMIN + 3;
  make_members();
  beside_guest(play, argv[1]);
  if (few) {
    await(&got_queued, QUEUED, QUEUED);
    await(&got_plain, SENT, SENT);
    await(&got_usual, 1, 1);
  } else if (!strcmp(argv[1], "many")) {
    await(&got_many, 1, MANY);
  } else {
    check_sleep_ms(200);
  }
  return 0;
}
