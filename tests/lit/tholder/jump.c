/* jump.c - a thread leaves a signal handler by longjmp(), and the signal stays blocked in it */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that this is so for that thread alone: not for later ones, whatever OS thread runs them,
// and not for the one that joins it. The program imports no function that changes a signal mask.
// RUN: %th_test
#include "names.h"
#include <setjmp.h>
#include <signal.h>

enum { THREADS = 500 };

static __thread jmp_buf back;

static void leave(int number) {
  (void)number;
  longjmp(back, 1);
}

/* Whether the signal comes, now. */
static int is_hit(void) {
  if (_setjmp(back))
    return 1;
  raise(SIGUSR1);
  return 0;
}

static void *hit(void *arg) {
  *(int *)arg += is_hit();
  return 0;
}

static void *rest(void *arg) { return arg; }

static void run(void *(*work)(void *), void *arg) {
  tholder_t t;
  CHECK_EQ(tholder_create(&t, 0, work, arg), 0);
  CHECK_EQ(tholder_join(t, 0), 0);
}

int main(void) {
  int hits = 0;
  signal(SIGUSR1, leave);
  for (int i = 0; i < THREADS; i++)
    run(rest, 0); /* some are carried by the joiner */
  for (int i = 0; i < THREADS; i++)
    run(hit, &hits);
  CHECK_EQ(hits, THREADS);
  CHECK_EQ(is_hit(), 1);
  CHECK_EQ(is_hit(), 0); /* blocked by the jump before */
  return 0;
}
