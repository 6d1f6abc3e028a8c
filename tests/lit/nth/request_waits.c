/* request_waits.c - nothing waits for ever for a processor that was taken from the program */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a nano-thread that has blocked goes on on its processor while that one is beyond the
// request, and the processor goes away again; that nano-threads run if the master waits for them
// outside nth_block(), at a flag or at a taskwait, and if those within the request wait for them
// busily.
// In the last runs members change OS threads at each chance: a processor that is away may wait in
// the queue of main's OS thread, which looks at no clock while main sleeps.
// RUN: %nth_test
// RUN: env OMP_NUM_THREADS=4 NTH_MEMBERS=nano NTH_TEST_MOVE=1 %omp_run %t
// RUN: env OMP_NUM_THREADS=4 NTH_MEMBERS=nano NTH_TEST_MOVE=1 %omp_run %t
// RUN: env OMP_NUM_THREADS=4 NTH_MEMBERS=nano NTH_TEST_MOVE=1 %omp_run %t
#include "Inputs/rounds.h"

static int n;
static long done;
static struct nth_desc *sleeper; /* the nano-thread that has blocked */
static int sleeper_at;

static void blocks(void) {
  sleeper_at = nth_processor();
  CHECK_EQ(nth_depadd(nth_self(), 2), 0);
  __atomic_store_n(&sleeper, nth_self(), __ATOMIC_RELEASE);
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(nth_processor(), sleeper_at);
}

static void nothing(void) { __atomic_fetch_add(&done, 1, __ATOMIC_RELEASE); }

static struct nth_desc *sleeper_now(void) { return __atomic_load_n(&sleeper, __ATOMIC_ACQUIRE); }

static void blocked_nano_thread(void) {
  struct nth_desc *me = nth_self();
  sleeper = NULL;
  CHECK_EQ(nth_depadd(me, 2), 0);
  CHECK_EQ(nth_to_lrq(n - 1, nth_create_ls(blocks, 0, me, 0)), 0);
  CHECK_WAIT_UNTIL(sleeper_now());
  CHECK_EQ(nth_request(1), 0);
  rounds_await(1);
  CHECK(sleeper_at > 0); /* the master is here */
  /* what it waits for runs on processor 0, and it goes on on its own */
  CHECK_EQ(nth_to_lrq(n - 1, nth_create_ls(nothing, 0, sleeper_now(), 0)), 0);
  CHECK_EQ(nth_block(), 0);
  rounds_await(1);
  CHECK_EQ(nth_request(0), 0);
}

/* The master is outside nth_block(). */
static void master_waits(void) {
  CHECK_EQ(nth_request(1), 0);
  rounds_await(1);
  done = 0;
  for (int i = 0; i < 20; i++)
    CHECK_EQ(nth_to_lrq(i % n, nth_create_ls(nothing, 0, NULL, 0)), 0);
  CHECK_WAIT_UNTIL(__atomic_load_n(&done, __ATOMIC_ACQUIRE) == 20);
  rounds_await(1);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    struct nth_desc *task = nth_task(1);
    CHECK_EQ(nth_to_lrq(0, nth_create_ls(nothing, 0, task, 0)), 0);
#pragma omp taskwait
    CHECK_EQ(__atomic_load_n(&done, __ATOMIC_ACQUIRE), 21);
  }
  CHECK_EQ(rounds_run(20, n), 0);
  CHECK_EQ(nth_request(0), 0);
}

/* Two that wait for each other busily, on one processor. */
static void meeting(void) {
  CHECK_EQ(nth_request(1), 0);
  rounds_await(1);
  rounds_together(2);
  rounds_await(1);
  CHECK_EQ(nth_request(0), 0);
}

int main(void) {
  n = omp_get_max_threads() > 1 ? omp_get_max_threads() : 2;
  CHECK_EQ(nth_init(n), 0);
  n = nth_processors();
  for (int turn = 0; turn < 5; turn++)
    blocked_nano_thread();
  for (int turn = 0; turn < 2; turn++)
    master_waits();
  meeting();
  CHECK_EQ(nth_exit(), 0);
  return 0;
}
