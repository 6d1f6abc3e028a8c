/* thread_local_end.cpp - constructs in the destructors that run at a held thread's end */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the destructor of a thread_local object, in each member of a team whose root thread
// has ended, is outside any region: a team of one, orphaned loops, singles, tasks and barriers
// work, a region opened there has the members asked for, and locks can be had.
// nanogomp-only: libgomp's threads still think they are in their last region; a barrier hangs.
// REQUIRES: nanogomp
// RUN: %omp_test
#include "check.h"
#include <atomic>
#include <pthread.h>

static std::atomic<int> touched{0}, ended{0};
static omp_lock_t lock;

struct at_end {
  int uses = 0;
  ~at_end() {
    long sum = 0, members = 0;
    CHECK_EQ(omp_in_parallel(), 0);
    CHECK_EQ(omp_get_level(), 0);
    CHECK_EQ(omp_get_thread_num(), 0);
    CHECK_EQ(omp_get_num_threads(), 1);
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 10; i++)
      sum += i;
#pragma omp single
#pragma omp task shared(sum)
    sum += 100;
#pragma omp taskwait
#pragma omp barrier
    CHECK_EQ(sum, 145);
#pragma omp parallel num_threads(2) reduction(+ : members)
    members++;
    CHECK_EQ(members, 2);
    omp_set_lock(&lock);
    check_busy(1000);
    omp_unset_lock(&lock);
    ended++;
  }
};
static thread_local at_end object;

static void *root(void *) {
#pragma omp parallel num_threads(4)
  {
    object.uses++;
    touched++;
  }
  return NULL;
}

int main() {
  omp_init_lock(&lock);
  for (int round = 0; round < CHECK_TIMES(100); round++) {
    pthread_t thread[2];
    for (pthread_t &t : thread)
      CHECK_EQ(pthread_create(&t, NULL, root, NULL), 0);
    for (pthread_t t : thread)
      pthread_join(t, NULL);
  }
  CHECK_WAIT_UNTIL(ended == touched);
  CHECK_EQ(touched, 8 * CHECK_TIMES(100));
  return 0;
}
