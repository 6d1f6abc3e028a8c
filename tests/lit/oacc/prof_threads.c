/* prof_threads.c - OpenACC: profiling callbacks and switches of several threads */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that switching a thread's events off leaves the others' on, and that registering while
// other threads launch loses none of the events of those callbacks that stay.
// RUN: %acc_test
#include <acc_prof.h>
#include <stdatomic.h>

#include "check.h"

static atomic_int steady, passing;

static void count_steady(acc_prof_info *prof, acc_event_info *event, acc_api_info *api) {
  (void)prof, (void)event, (void)api;
  atomic_fetch_add(&steady, 1);
}

static void count_passing(acc_prof_info *prof, acc_event_info *event, acc_api_info *api) {
  (void)prof, (void)event, (void)api;
  atomic_fetch_add(&passing, 1);
}

static void launch(void) {
#pragma acc parallel
  {}
}

static void by_thread(void) {
  atomic_store(&steady, 0);
#pragma omp parallel
  {
    launch();
#pragma omp barrier
    if (omp_get_thread_num() % 2 == 0)
      acc_prof_unregister(acc_ev_none, 0, acc_toggle_per_thread);
    launch();
    if (omp_get_thread_num() % 2 == 0)
      acc_prof_register(acc_ev_none, 0, acc_toggle_per_thread);
    launch();
  }
  int n = omp_get_max_threads();
  CHECK_EQ(atomic_load(&steady), 2 * (2 * n + n / 2)); /* two events a construct */
}

static void registering(void) {
  enum { TIMES = CHECK_TIMES(300) };
  atomic_store(&steady, 0);
#pragma omp parallel
  for (int i = 0; i < TIMES; i++) {
    if (omp_get_thread_num() % 2 == 0) {
      acc_prof_register(acc_ev_compute_construct_start, count_passing, acc_reg);
      launch();
      acc_prof_unregister(acc_ev_compute_construct_start, count_passing, acc_reg);
    } else {
      acc_prof_unregister(acc_ev_compute_construct_end, count_passing, acc_toggle);
      launch();
    }
  }
  int n = omp_get_max_threads();
  CHECK_EQ(atomic_load(&steady), 2 * n * TIMES);
  CHECK(atomic_load(&passing) >= (n + 1) / 2 * TIMES);
  atomic_store(&passing, 0);
  launch();
  CHECK_EQ(atomic_load(&passing), 0);
}

int main(void) {
  acc_prof_register(acc_ev_compute_construct_start, count_steady, acc_reg);
  acc_prof_register(acc_ev_compute_construct_end, count_steady, acc_reg);
  launch();
  by_thread();
  registering();
  return 0;
}
