/* bound_meet.c - bound teams of different sizes in turn, whose members wait for each other */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that regions of 2 and of 4 members on two places end, where the members meet by means of
// the program's own. A member that goes to another place from one region to the next has its own OS
// thread bound there. If that thread runs another member just then, which waits for the first one,
// a thread of another place must run the first one.
// REQUIRES: members-nano, cpus-0-1
// RUN: %omp_build %s -o %t
// RUN: env OMP_PROC_BIND=close NTH_MEMBERS=auto taskset -c 0,1 %omp_run %t
// RUN: env OMP_PROC_BIND=spread NTH_MEMBERS=auto taskset -c 0,1 %omp_run %t
// RUN: env OMP_PROC_BIND=close NTH_MEMBERS=nano taskset -c 0,1 %omp_run %t
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "check.h"

enum { ROUNDS = 300, FEW = 2, MANY = 4 };

static pthread_barrier_t meeting;
static atomic_int arrived;

static void by_yields(int members) {
  arrived++;
  while (arrived < members)
    sched_yield();
}
static void by_spins(int members) {
  arrived++;
  while (arrived < members)
    ;
}
static void by_naps(int members) {
  arrived++;
  while (arrived < members)
    usleep(100);
}
static void by_barrier(int members) {
  (void)members;
  pthread_barrier_wait(&meeting);
}

static void in_turn(void (*few)(int), void (*many)(int)) {
  for (int round = 0; round < ROUNDS; round++) {
    arrived = 0;
#pragma omp parallel num_threads(FEW)
    few(FEW);
    arrived = 0;
#pragma omp parallel num_threads(MANY)
    many(MANY);
  }
}

int main(void) {
  pthread_barrier_init(&meeting, 0, MANY);
  in_turn(by_yields, by_yields);
  in_turn(by_spins, by_barrier);
  in_turn(by_naps, by_yields);
  return 0;
}
