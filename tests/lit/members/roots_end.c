/* roots_end.c - threads of the program that end while the teams of others run */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a root with a team of eight may end, by return or by pthread_exit, after flat and
// nested regions, while two other roots are amid regions of eight: these go on with their own
// members, and the threads of roots that have ended go away.
// RUN: %members_test
#include "count_threads.h"
#include "members.h"

enum { SHORT_LIVES = 24, LONG_LIVES = 2 };

static int stop;
static long members_done, members_want;

static void member(void) {
  struct identity who;
  identity_take(&who, omp_get_thread_num());
  for (unsigned way = 0; way < WAYS_ALONE; way++) {
    pass_alone(way);
    pass_together(way);
    identity_check(&who);
  }
  __atomic_add_fetch(&members_done, 1, __ATOMIC_RELAXED);
}

static void *long_life(void *unused) {
  pthread_t selfs[MEMBERS];
  for (int region = 0; region == 0 || !__atomic_load_n(&stop, __ATOMIC_RELAXED); region++) {
#pragma omp parallel num_threads(MEMBERS)
    {
      int me = omp_get_thread_num();
      if (region == 0)
        selfs[me] = pthread_self();
      CHECK(pthread_equal(selfs[me], pthread_self()));
      member();
    }
    __atomic_add_fetch(&members_want, MEMBERS, __ATOMIC_RELAXED);
  }
  return unused;
}

static void *short_life(void *argument) {
  long number = (long)(intptr_t)argument;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(MEMBERS)
  {
    member();
    if (number % 4 == 0) {
#pragma omp parallel num_threads(2)
      pass_together(0);
    }
  }
  __atomic_add_fetch(&members_want, MEMBERS, __ATOMIC_RELAXED);
  if (number % 2)
    pthread_exit(argument);
  return argument;
}

int main(void) {
  pthread_t long_lived[LONG_LIVES];
  int before = count_threads();
  for (int i = 0; i < LONG_LIVES; i++)
    CHECK_EQ(pthread_create(&long_lived[i], NULL, long_life, NULL), 0);
  for (intptr_t i = 0; i < SHORT_LIVES; i += 2) {
    pthread_t two[2];
    for (int j = 0; j < 2; j++)
      CHECK_EQ(pthread_create(&two[j], NULL, short_life, (void *)(i + j)), 0);
    for (int j = 0; j < 2; j++) {
      void *result;
      CHECK_EQ(pthread_join(two[j], &result), 0);
      CHECK_EQ((intptr_t)result, i + j);
    }
  }
  __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < LONG_LIVES; i++)
    CHECK_EQ(pthread_join(long_lived[i], NULL), 0);
  CHECK_EQ(members_done, members_want);
  CHECK_WAIT_UNTIL(count_threads() <= before + 4 * MEMBERS);
  members_end();
  return 0;
}
