/* request.c - processors are taken from a program between two nano-threads, and given back */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a processor beyond the request goes away, idle or busy; that it starts nothing then,
// also of its own queue; that all run at the same time when they are given back, soon after the
// request; that the request holds for the next nth_init(), and nth_exit() ends those that are away.
// RUN: %nth_test
#include "Inputs/rounds.h"
#include <errno.h>

static double best = 1; /* seconds from the request until all are there */

/* Gives all back and waits until the last one is there. */
static void give_back(int n) {
  double start = check_seconds();
  CHECK_EQ(nth_request(0), 0);
  rounds_await(n);
  double took = check_seconds() - start;
  best = took < best ? took : best;
}

static void take_and_give(int n, int left, bool asleep) {
  if (asleep)
    check_sleep_ms(30);
  CHECK_EQ(nth_request(left), 0);
  CHECK_EQ(nth_requested(), left);
  rounds_await(left);
  CHECK_EQ(rounds_run(50, left), 0);
  CHECK_EQ(nth_running(), left);
  give_back(n);
  rounds_together(n);
}

/* A request comes while nano-threads run. */
static int asks_at;
static void asks(long number, long left) {
  if (number == asks_at)
    CHECK_EQ(nth_request((int)left), 0);
  rounds_work(2000);
}

static void take_from_busy(int n, int left) {
  struct nth_desc *me = nth_self();
  int all = 40 * n;
  asks_at = all / 2;
  CHECK_EQ(nth_depadd(me, all + 1), 0);
  for (long i = 0; i < all; i++)
    CHECK_EQ(nth_to_lrq_end((int)(i % n), nth_create_ls(asks, 0, me, 2, i, (long)left)), 0);
  CHECK_EQ(nth_block(), 0);
  rounds_await(left);
  CHECK_EQ(rounds_run(20, left), 0);
  give_back(n);
}

int main(void) {
  int n = omp_get_max_threads() > 1 ? omp_get_max_threads() : 2;
  CHECK_EQ(nth_running(), 0);
  CHECK_EQ(nth_request(-1), EINVAL);
  CHECK_EQ(nth_init(n), 0);
  n = nth_processors();
  CHECK(n >= 2 && n <= ROUNDS_MOST);
  CHECK_EQ(nth_running(), n);
  CHECK_EQ(nth_requested(), 0);
  for (int turn = 0; turn < 20; turn++) {
    take_and_give(n, 1 + turn % (n - 1), turn % 4 == 0);
    take_from_busy(n, 1 + turn % (n - 1));
  }
  CHECK(best < 0.03);              /* they are woken: by themselves they look every 100 ms */
  CHECK_EQ(nth_request(n + 5), 0); /* as good as all */
  CHECK_EQ(nth_running(), n);
  rounds_together(n);
  CHECK_EQ(nth_request(1), 0);
  rounds_await(1);
  CHECK_EQ(nth_exit(), 0);
  CHECK_WAIT_UNTIL(nth_running() == 1); /* main: the request holds for regions, too */
  CHECK_EQ(nth_init(n), 0);
  rounds_await(1);
  CHECK_EQ(rounds_run(20, 1), 0);
  CHECK_EQ(nth_exit(), 0);
  return 0;
}
