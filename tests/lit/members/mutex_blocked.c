/* mutex_blocked.c - a mutex held over a wait of the runtime while others block on it */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a member that has a pthread mutex and comes to a taskyield, taskwait, critical or
// lock goes on, though all the others are, or come to be, asleep on the mutex; with member 0 as
// owner and as sleeper.
// RUN: %members_test
// RUN: env NTH_MEMBERS=nano %omp_run %t
#include "members.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long counted, waiting;

/* All at once. */
static void crowd(int turns) {
  for (int turn = 0; turn < turns; turn++) {
    CHECK_EQ(pthread_mutex_lock(&mutex), 0);
    long before = counted;
    pass_alone((unsigned)turn);
    CHECK_EQ(counted, before);
    counted = before + 1;
    CHECK_EQ(pthread_mutex_unlock(&mutex), 0);
  }
}

/* One has it, and waits in the runtime after all others have gone for it. */
static void one(int me, int owner) {
  if (me == owner)
    CHECK_EQ(pthread_mutex_lock(&mutex), 0);
#pragma omp barrier
  if (me == owner) {
    CHECK_WAIT_UNTIL(__atomic_load_n(&waiting, __ATOMIC_RELAXED) == MEMBERS - 1);
    check_sleep_ms(1);
    for (unsigned way = 0; way < WAYS_ALONE; way++)
      pass_alone(way);
    __atomic_store_n(&waiting, 0, __ATOMIC_RELAXED);
  } else {
    __atomic_add_fetch(&waiting, 1, __ATOMIC_RELAXED);
    CHECK_EQ(pthread_mutex_lock(&mutex), 0);
    CHECK_EQ(__atomic_load_n(&waiting, __ATOMIC_RELAXED), 0);
  }
  counted++;
  CHECK_EQ(pthread_mutex_unlock(&mutex), 0);
#pragma omp barrier
}

int main(void) {
  pass_everywhere();
  long regions = 0;
  double end = check_seconds() + 1;
  for (; regions < 8 && (regions == 0 || check_seconds() < end); regions++) {
#pragma omp parallel num_threads(MEMBERS)
    {
      crowd(6);
#pragma omp barrier
      one(omp_get_thread_num(), (int)(regions * 5 % MEMBERS));
    }
  }
  CHECK_EQ(counted, 7 * MEMBERS * regions);
  members_end();
  return 0;
}
