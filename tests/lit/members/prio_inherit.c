/* prio_inherit.c - mutexes with priority inheritance that many members want */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that members of a team larger than the CPUs, which lock, wait in the runtime while they
// hold the mutex, and unlock, come to an end, and that each one has had it.
// RUN: %omp_build %s -o %t -DCHECK_MEMBERS=16
// RUN: %omp_run %t
// RUN: env NTH_MEMBERS=nano %omp_run %t
// RUN: %os %t
#include "members.h"

int main(void) {
  pthread_mutex_t mutex;
  pthread_mutexattr_t attributes;
  long count = 0;
  omp_set_dynamic(0);
  CHECK_EQ(pthread_mutexattr_init(&attributes), 0);
  CHECK_EQ(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT), 0);
  CHECK_EQ(pthread_mutex_init(&mutex, &attributes), 0);
#pragma omp parallel num_threads(MEMBERS)
  for (int i = 0; i < 50; i++) {
    CHECK_EQ(pthread_mutex_lock(&mutex), 0);
    count++;
    check_busy(20);
    if (i % 5 == 0) {
#pragma omp taskyield
      check_sleep_ms(1);
    }
    CHECK_EQ(pthread_mutex_unlock(&mutex), 0);
    if (i % 10 == 0) {
#pragma omp barrier
    }
  }
  CHECK_EQ(count, 50 * MEMBERS);
  return 0;
}
