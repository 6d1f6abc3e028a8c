/* threads_return.c - threads that have left come back when their teams are wanted again */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks nested teams, tasks that call docked members, and teams of other sizes after pauses around
// the time at which idle threads leave, in several root threads at once; and that a thread which
// ends so runs the destructors of its keys, which may open regions of their own.
// RUN: %omp_test
#include <pthread.h>

#include "check.h"

enum { ROOTS = CHECK_SLOWER > 1 ? 2 : 3, ROUNDS = CHECK_SLOWER > 1 ? 3 : 5 };

static pthread_key_t key;
static _Atomic(int) ended, begun;

static void at_end(void *value) {
  int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
  members++;
  CHECK(members >= 1 && members <= 2);
  CHECK(value != NULL);
  ended++;
}

static void note(void) {
  if (!pthread_getspecific(key)) {
    CHECK_EQ(pthread_setspecific(key, &key), 0);
    begun++;
  }
}

static long sum_by_tasks(int n) {
  long sum = 0;
  for (int i = 0; i < n; i++) {
#pragma omp task shared(sum) firstprivate(i)
    {
      check_busy(2000);
#pragma omp atomic
      sum += i;
    }
  }
#pragma omp taskwait
  return sum;
}

/* Two tasks that end only when both have begun: a docked member has to come. */
static void meet(void) {
  _Atomic(int) here = 0, *at = &here;
  for (int i = 0; i < 2; i++) {
#pragma omp task firstprivate(at)
    {
      (*at)++;
      CHECK_WAIT_UNTIL(*at == 2);
    }
  }
#pragma omp taskwait
}

static void nest(int outer, int inner) {
  int members = 0;
#pragma omp parallel num_threads(outer) reduction(+ : members)
  {
    int inside = 0;
#pragma omp parallel num_threads(inner) reduction(+ : inside)
    {
      note();
      inside++;
#pragma omp barrier
#pragma omp single nowait
      CHECK_EQ(sum_by_tasks(20), 190);
    }
    CHECK_EQ(inside, inner);
    members += inside;
  }
  CHECK_EQ(members, outer * inner);
}

static void *root(void *argument) {
  uint64_t random = (uint64_t)(uintptr_t)argument;
  omp_set_max_active_levels(2); /* of this thread's own */
  for (int round = 0; round < ROUNDS; round++) {
    nest(1 + (int)(check_random(&random) % 3), 1 + (int)(check_random(&random) % 4));
    nest(2, 3);
    if (round % 3 == 2) { /* one member goes on alone while the others are idle, and then wants
                           * them */
#pragma omp parallel num_threads(2)
      {
#pragma omp parallel num_threads(3)
        if (omp_get_thread_num() == 0) {
          check_sleep_ms(1800);
          meet();
          CHECK_EQ(sum_by_tasks(50), 1225);
        }
      }
    } else {
      check_sleep_ms(1350 + (long)(check_random(&random) % 300));
    }
  }
  return NULL;
}

int main(void) {
  CHECK_EQ(pthread_key_create(&key, at_end), 0);
  omp_set_dynamic(0);
  pthread_t thread[ROOTS];
  for (uintptr_t i = 0; i < ROOTS; i++)
    CHECK_EQ(pthread_create(&thread[i], NULL, root, (void *)(i + 1)), 0);
  for (int i = 0; i < ROOTS; i++)
    CHECK_EQ(pthread_join(thread[i], NULL), 0);
  CHECK_WAIT_UNTIL(ended == begun);
  return 0;
}
