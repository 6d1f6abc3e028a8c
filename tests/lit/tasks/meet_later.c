/* meet_later.c - tasks that wait for each other, more of them than members */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP does not promise that such a program ends. On libgomp it does: its members begin the tasks
// of a region one by one, the oldest first. Checks that it ends here, where tasks wait for the next
// one (over pipes, with conditions, in turn over semaphores), meet in a pthread_barrier, spin for
// an earlier one that the same member has made, and where many wait for what their maker does
// afterwards.
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: env OMP_NUM_THREADS=2 %omp_run %t
// RUN: env OMP_NUM_THREADS=8 %omp_run %t
// RUN: env OMP_NUM_THREADS=2 NTH_MEMBERS=os OMP_WAIT_POLICY=passive %omp_run %t
// RUN: env OMP_NUM_THREADS=4 NTH_MEMBERS=nano %omp_run %t
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>

#include "check.h"

enum { ROUNDS = 5, PAIRS = 40, CHAIN = 30, MOST = 64 };

/* --- pairs --- */

static int request[PAIRS][2], reply[PAIRS][2];

static void ask(int i) {
  int v = i;
  CHECK_EQ(write(request[i][1], &v, sizeof v), (long)sizeof v);
  CHECK_EQ(read(reply[i][0], &v, sizeof v), (long)sizeof v);
  CHECK_EQ(v, 2 * i);
}

static void answer(int i) {
  int v;
  CHECK_EQ(read(request[i][0], &v, sizeof v), (long)sizeof v);
  v *= 2;
  CHECK_EQ(write(reply[i][1], &v, sizeof v), (long)sizeof v);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int state[PAIRS];

static void step(int i, int from) {
  pthread_mutex_lock(&mutex);
  while (state[i] != from)
    pthread_cond_wait(&changed, &mutex);
  state[i]++;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

static sem_t full, empty;
static int box, sum;

static void put(int i) {
  sem_wait(&empty);
  box = i;
  sem_post(&full);
}

static void get(int i) {
  (void)i;
  sem_wait(&full);
  sum += box;
  sem_post(&empty);
}

static void first_of_two(int i) {
  step(i, 0);
  step(i, 2);
}

static void second_of_two(int i) {
  step(i, 1);
  step(i, 3);
}

static void pairs(void (*first)(int), void (*second)(int)) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < PAIRS; i++) {
#pragma omp task firstprivate(i)
    first(i);
#pragma omp task firstprivate(i)
    second(i);
  }
}

static void all_pairs(void) {
  for (int i = 0; i < PAIRS; i++)
    CHECK_EQ(pipe(request[i]) + pipe(reply[i]), 0);
  pairs(ask, answer);
  for (int i = 0; i < PAIRS; i++) {
    for (int end = 0; end < 2; end++)
      CHECK_EQ(close(request[i][end]) + close(reply[i][end]), 0);
    state[i] = 0;
  }
  pairs(first_of_two, second_of_two);
  sum = 0;
  CHECK_EQ(sem_init(&full, 0, 0) + sem_init(&empty, 0, 1), 0);
  pairs(put, get);
  CHECK_EQ(sum, PAIRS * (PAIRS - 1) / 2);
}

/* --- others --- */

static void meetings(int members) {
  pthread_barrier_t meeting;
  pthread_barrier_init(&meeting, 0, (unsigned)members);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 3 * members; i++) {
#pragma omp task
    {
      pthread_barrier_wait(&meeting);
      pthread_barrier_wait(&meeting);
    }
  }
  pthread_barrier_destroy(&meeting);
}

static atomic_int done[MOST][CHAIN + 1];

static void chains(void) {
  memset(done, 0, sizeof done);
#pragma omp parallel
  {
    int k = omp_get_thread_num();
    done[k][0] = 1;
    for (int i = 0; i < CHAIN; i++) {
#pragma omp task firstprivate(i, k)
      {
        while (!done[k][i])
          sched_yield();
        done[k][i + 1] = 1;
      }
    }
  }
}

static void gate(int members) {
  atomic_int open = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 60 * members; i++) {
#pragma omp task shared(open)
      while (!open)
        sched_yield();
    }
    open = 1;
  }
}

int main(void) {
  int members = omp_get_max_threads();
  for (int round = 0; round < ROUNDS; round++) {
    if (members > 1) {
      all_pairs();
      meetings(members);
    }
    if (members <= MOST)
      chains();
    if (members <= 3) /* queues have an end */
      gate(members);
  }
  return 0;
}
