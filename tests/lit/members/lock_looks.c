/* lock_looks.c - a member that takes turns keeps its OS thread if a lock comes free soon */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a member which waits for a lock for a moment does not leave its OS thread to others
// that are ready, but for one wait in some. The owner runs on another OS thread, and unsets the
// lock when the waiter is about to set it. In a region the others may run less often than the
// waiter waits; one region of ten will do, and only those count that are short, since other
// processes may take the CPUs. If 8 s have fewer than ten such regions, the test says nothing of
// them. And that all members get their turns of a lock by which each of them looks for the others.
// nanogomp-only: libgomp has no members that take turns.
// REQUIRES: nanogomp, members-nano
// UNSUPPORTED: emulated
// RUN: %omp_build %s -o %t
// RUN: env NTH_MEMBERS=nano %omp_run %t
// RUN: env NTH_MEMBERS=nano OMP_WAIT_POLICY=passive %omp_run %t
#include "check.h"

enum { MEMBERS = 8, ROUNDS = 200, TURNS = 200, QUIET = 10 };

#define QUIET_S 0.004 /* a region takes 0.5 ms where no other process takes the CPUs */

static omp_lock_t lock;
static int held, wanted, over; /* the last round in which that was so */
static long ran;               /* turns of the other members */

static int get(const int *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
static void set(int *p, int round) { __atomic_store_n(p, round, __ATOMIC_RELEASE); }
static void await(const int *p, int round) {
  while (get(p) < round)
    ;
}

static void own(void) {
  for (int round = 1; round <= ROUNDS; round++) {
    omp_set_lock(&lock);
    set(&held, round);
    await(&wanted, round);
    for (volatile int i = 0; i < 300; i++) /* the waiter's call has begun */
      ;
    omp_unset_lock(&lock);
    await(&over, round);
  }
}

static void want(void) {
  for (int round = 1; round <= ROUNDS; round++) {
    await(&held, round);
    set(&wanted, round);
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
    set(&over, round);
  }
}

static void be_ready(void) {
  while (get(&over) < ROUNDS) {
    __atomic_add_fetch(&ran, 1, __ATOMIC_RELAXED);
#pragma omp taskyield
  }
}

/* How often other members ran. */
static long region(void) {
  held = wanted = over = 0;
  ran = 0;
#pragma omp parallel num_threads(MEMBERS)
  {
#pragma omp barrier
    if (omp_get_thread_num() == 0)
      own();
    else if (omp_get_thread_num() == 1)
      want();
    else
      be_ready();
  }
  return ran;
}

static void one_after_the_other(void) {
  int next = 0;
#pragma omp parallel num_threads(MEMBERS)
  for (bool done = false; !done;) {
    omp_set_lock(&lock);
    if (next < TURNS && next % MEMBERS == omp_get_thread_num())
      next++;
    done = next == TURNS;
    omp_unset_lock(&lock);
  }
  CHECK_EQ(next, TURNS);
}

int main(void) {
  if (omp_get_num_procs() < 2)
    return 0;
  omp_init_lock(&lock);
  double end = check_seconds() + 8, start;
  long least = ROUNDS;
  int quiet = 0;
  while (least >= ROUNDS && quiet < QUIET && (start = check_seconds()) < end) {
    long others = region();
    if (check_seconds() - start > QUIET_S)
      continue;
    least = quiet++ == 0 || others < least ? others : least;
  }
  printf("%d waits, %d quiet regions, %ld turns of others\n", ROUNDS, quiet, least);
  CHECK(quiet < QUIET || least < ROUNDS);
  one_after_the_other();
  return 0;
}
