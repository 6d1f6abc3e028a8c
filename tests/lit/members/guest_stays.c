/* guest_stays.c - a slave on main's OS thread begins what comes, while main is on another one */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that work reaches a docked slave in teams of a region of one. In short regions with equal
// gaps the slave learns when the next one comes. Then it meets main at a lock, so that main's OS
// thread runs it; the watchdog puts main on the slave's; and the slave, which has finished first,
// cannot leave main's OS thread, since nobody else would run there. Main waits for a task or for
// the next region's slave without any call.
// RUN: %omp_build %s -o %t
// RUN: env OMP_NUM_THREADS=2 %omp_run %t
// RUN: env OMP_NUM_THREADS=2 NTH_MEMBERS=nano %omp_run %t
#include "check.h"

enum { LIMIT_S = 20 };

static omp_lock_t lock;
static int ready, flag;

static void busy_ms(double ms) {
  double end = omp_get_wtime() + ms / 1000;
  while (omp_get_wtime() < end)
    ;
}

static int get(int *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
static void set(int *word) { __atomic_store_n(word, 1, __ATOMIC_RELEASE); }

static void await(int *word) {
  double end = omp_get_wtime() + LIMIT_S;
  while (!get(word) && omp_get_wtime() < end)
    ;
  CHECK(get(word));
}

static void main_of_last(bool task) {
  omp_set_lock(&lock);
  set(&ready);
  busy_ms(30); /* the slave sleeps for the lock */
  omp_unset_lock(&lock);
#pragma omp barrier
  busy_ms(60); /* the slave has finished, and docks */
  if (!task)
    return;
#pragma omp task
  set(&flag);
  await(&flag);
}

static void slave_of_last(void) {
  await(&ready);
  omp_set_lock(&lock);
  omp_unset_lock(&lock);
#pragma omp barrier
  busy_ms(50);
}

__attribute__((noinline)) static void region(bool last, bool task) {
#pragma omp parallel num_threads(2)
  {
    if (!last)
      busy_ms(0.5);
    else if (omp_get_thread_num() == 0)
      main_of_last(task);
    else
      slave_of_last();
  }
}

static void round_of(bool task) {
  ready = flag = 0;
  for (int i = 0; i < 14; i++) {
    region(false, false);
    busy_ms(20);
  }
  region(true, task);
  busy_ms(2);
  flag = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() != 0 || omp_get_num_threads() == 1)
      set(&flag);
    else
      await(&flag);
  }
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(3);
  omp_init_lock(&lock);
#pragma omp parallel num_threads(1)
  for (int turn = 0; turn < 2; turn++) {
    round_of(true);
    round_of(false);
  }
  omp_destroy_lock(&lock);
  return 0;
}
