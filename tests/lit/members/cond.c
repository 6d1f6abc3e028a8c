/* cond.c - members that wait for each other by the pthread library */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a token goes round by pthread_cond, in both directions, and that all members meet in
// pthread barriers and take from a semaphore, with the runtime's waits in between: while members
// block in the kernel, those they wait for must run.
// RUN: %members_test
// RUN: env NTH_MEMBERS=nano %omp_run %t
#include "members.h"
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t units;
static int token, laps, meetings;

static void pass_token(int me, int step) {
  CHECK_EQ(pthread_mutex_lock(&mutex), 0);
  while (token != me)
    CHECK_EQ(pthread_cond_wait(&changed, &mutex), 0);
  laps++;
  token = (me + step + MEMBERS) % MEMBERS;
  pthread_cond_broadcast(&changed);
  CHECK_EQ(pthread_mutex_unlock(&mutex), 0);
}

int main(void) {
  pass_everywhere();
  int regions = 0;
  CHECK_EQ(pthread_barrier_init(&barrier, NULL, MEMBERS), 0);
  CHECK_EQ(sem_init(&units, 0, 0), 0);
  double end = check_seconds() + 1;
  for (; regions < 8 && (regions == 0 || check_seconds() < end); regions++) {
#pragma omp parallel num_threads(MEMBERS)
    {
      int me = omp_get_thread_num();
      for (int lap = 0; lap < 2; lap++) {
        pass_token(me, 1);
        pass_alone((unsigned)lap);
      }
#pragma omp barrier
#pragma omp single
      token = MEMBERS - 1;
      for (int lap = 0; lap < 2; lap++) {
        pass_token(me, -1);
        pass_alone((unsigned)lap);
      }
      if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        meetings++;
      pass_together((unsigned)regions);
      if (me == regions % MEMBERS)
        for (int i = 1; i < MEMBERS; i++)
          sem_post(&units);
      else
        CHECK_EQ(sem_wait(&units), 0);
#pragma omp barrier
#pragma omp single
      token = 0;
    }
  }
  CHECK_EQ(laps, 4 * MEMBERS * regions);
  CHECK_EQ(meetings, regions);
  members_end();
  return 0;
}
