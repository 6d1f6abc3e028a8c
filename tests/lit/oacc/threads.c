/* threads.c - OpenACC: the device seen from many threads */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that one thread makes the device active for all, however many use it first at the same
// moment, that a shutdown takes it from all, and that queries have the same answers everywhere.
// RUN: %acc_test
#include <acc_prof.h>
#include <pthread.h>
#include <stdatomic.h>

#include "check.h"

static atomic_int inits;

static void count(acc_prof_info *prof, acc_event_info *event, acc_api_info *api) {
  (void)prof, (void)event, (void)api;
  atomic_fetch_add(&inits, 1);
}

static void *use(void *arg) {
  int x = 0;
#pragma acc parallel copy(x)
  x = 1;
  CHECK_EQ(x, 1);
  acc_wait(1);
  CHECK_EQ(acc_get_device_type(), acc_device_host);
  CHECK_EQ(acc_get_device_num(acc_device_host), 0);
  return arg;
}

static void first_use(void) {
#pragma omp parallel
  use(0);
  CHECK_EQ(atomic_load(&inits), 1);
}

int main(void) {
  acc_prof_register(acc_ev_device_init_start, count, acc_reg);
  first_use();
  for (int i = 0; i < 20; i++) {
    pthread_t thread;
    atomic_store(&inits, 0);
    acc_shutdown(acc_device_host);
    acc_init(acc_device_host);
    first_use();
    CHECK_EQ(pthread_create(&thread, 0, use, 0), 0);
    CHECK_EQ(pthread_join(thread, 0), 0);
    CHECK_EQ(atomic_load(&inits), 1);
  }
  return 0;
}
