/* untied_lock_live.c - while the owner of a lock sleeps, not all tasks that want it begin */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A runtime that suspends tasks that wait for a lock gives each of them a stack of its own. A
// member sleeps while it has a lock, and the other one makes 20,000 untied tasks that want it.
// They name an object, so the maker does not run them at once. With 64 suspended tasks it begins
// one in a millisecond. If it began the next task at each wait, 16,384 would have stacks, 70 MB.
// On a busy machine the sleep takes longer: the test allows for that.
// RUN: %omp_build %s -o %t
// RUN: env NTH_TEST_BERTHS=1 %omp_run %t
// RUN: env NTH_TEST_BERTHS=1 NTH_MEMBERS=os %omp_run %t
#include "check.h"

#include <stdatomic.h>
#include <unistd.h>

enum { TASKS = 20000, LIVE = 250, LIVE_EACH_SECOND = 500, SLEEP_US = 200000 };

static omp_lock_t lock;
static atomic_bool taken;
static int sum;
static atomic_int begun;
static char object;
static double slept;

static void own_lock(void) {
  double start = omp_get_wtime();
  omp_set_lock(&lock);
  taken = true;
  usleep(SLEEP_US);
  slept = omp_get_wtime() - start;
  CHECK(begun < LIVE + slept * LIVE_EACH_SECOND);
  omp_unset_lock(&lock);
}

static void want_lock(void) {
  begun++;
  omp_set_lock(&lock);
  sum++;
  omp_unset_lock(&lock);
}

static void make_tasks(void) {
  while (!taken)
    usleep(1000);
  for (int i = 0; i < TASKS; i++) {
#pragma omp task untied depend(in : object)
    want_lock();
  }
#pragma omp taskwait
}

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_num_threads() < 2)
      taken = true;
    else if (omp_get_thread_num() == 1)
      own_lock();
    if (omp_get_thread_num() == 0)
      make_tasks();
  }
  CHECK_EQ(sum, TASKS);
  omp_destroy_lock(&lock);
  return 0;
}
