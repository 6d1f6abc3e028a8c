/* nowait_chain.c - nowait: a member never waits for another, however far ahead it is */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that member 0 passes 10,000 nowait loops, singles and sections while member 1 is still in
// its first one, spinning on a flag that member 0 sets after the last; deadlocks if any of them
// waits. Afterwards each construct's work must have been done exactly once.
// RUN: %omp_test
// RUN: env NTH_RANGES=on %omp_run %t
#include "check.h"

enum { CHAIN = 10000 };

static int flag, loops[CHAIN][4], singles[CHAIN], sections[CHAIN][2];

static void add(int *counter) {
#pragma omp atomic
  ++*counter;
}

/* The first iteration that the slow member gets holds it until the flag is set. */
static void loop(int c, bool *held) {
#pragma omp for schedule(dynamic, 1) nowait
  for (int i = 0; i < 4; i++) {
    add(&loops[c][i]);
    if (omp_get_thread_num() == 1 && !*held) {
      *held = true;
      CHECK_WAIT_UNTIL(__atomic_load_n(&flag, __ATOMIC_ACQUIRE));
    }
  }
}

static void single(int c) {
#pragma omp single nowait
  add(&singles[c]);
}

static void section(int c) {
#pragma omp sections nowait
  {
#pragma omp section
    add(&sections[c][0]);
#pragma omp section
    add(&sections[c][1]);
  }
}

int main(void) {
  int limit = omp_get_max_threads() < 4 ? omp_get_max_threads() : 4;
#pragma omp parallel num_threads(limit)
  {
    bool held = false;
    for (int c = 0; c < CHAIN; c++) {
      loop(c, &held);
      if (!held && c > 0 && omp_get_thread_num() == 1) {
        held = true; /* the others took all of the loop: be held between constructs */
        CHECK_WAIT_UNTIL(__atomic_load_n(&flag, __ATOMIC_ACQUIRE));
      }
      single(c);
      section(c);
    }
    if (omp_get_thread_num() == 0)
      __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
  }
  for (int c = 0; c < CHAIN; c++) {
    for (int i = 0; i < 4; i++)
      CHECK_EQ(loops[c][i], 1);
    CHECK_EQ(singles[c], 1);
    CHECK_EQ(sections[c][0], 1);
    CHECK_EQ(sections[c][1], 1);
  }
  return 0;
}
