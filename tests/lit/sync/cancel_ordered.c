/* cancel_ordered.c - ordered and doacross loops that a part of the team never comes to */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that who waits for the turn, or for an iteration, of a member that has left a cancelled
// region leaves too, whether it polls or sleeps.
// nanogomp-only: libgomp's members wait for ever.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: env OMP_CANCELLATION=true %omp_run %t
#include "check.h"

static void ordered(void) {
#pragma omp for ordered schedule(static, 1)
  for (int i = 0; i < 64; i++) {
#pragma omp ordered
    {}
  }
}

static void doacross(void) {
#pragma omp for ordered(1) schedule(static, 1)
  for (int i = 0; i < 64; i++) {
#pragma omp ordered depend(sink : i - 1)
#pragma omp ordered depend(source)
  }
}

static void run(void (*loop)(void), long leave_after_ms) {
#pragma omp parallel num_threads(4)
  {
    if (omp_get_thread_num() == 1) {
      check_sleep_ms(leave_after_ms);
#pragma omp cancel parallel
    }
    loop();
  }
  int whole = 0; /* the team is in order again */
#pragma omp parallel num_threads(4) reduction(+ : whole)
#pragma omp for ordered schedule(static, 1)
  for (int i = 0; i < 64; i++) {
#pragma omp ordered
    whole++;
  }
  CHECK_EQ(whole, 64);
}

int main(void) {
  for (int round = 0; round < 50; round++) {
    run(ordered, round == 0 ? 100 : 0);
    run(doacross, round == 0 ? 100 : 0);
  }
  return 0;
}
