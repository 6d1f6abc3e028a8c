/* untied_foreign.c - what begins above a task that has nothing to do with it can leave it */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A suspended task goes on in another task's wait for a lock. What it begins then, of any kind, may
// want a lock that the task below holds. Tied tasks that are begun so keep their own rule.
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
#include "check.h"

enum { ROUNDS = 20 };

static omp_lock_t lock, other, third;
static int ran, inside;

static void yield(int n) {
  while (n-- > 0) {
#pragma omp taskyield
  }
}
static void use(omp_lock_t *l) {
  omp_set_lock(l);
#pragma omp atomic
  ran++;
  omp_unset_lock(l);
}

/* An undeferred task that has an event. */
static void undeferred(void) {
#pragma omp task untied
  {
    omp_set_lock(&lock);
    yield(1);
    omp_unset_lock(&lock);
    yield(3);
#pragma omp task final(1) if (0)
    {
      omp_event_handle_t event;
#pragma omp task detach(event)
      {
        use(&other);
        omp_fulfill_event(event);
      }
    }
  }
#pragma omp task
  {
    omp_set_lock(&other);
    use(&lock);
    omp_unset_lock(&other);
  }
}

/* A child that another suspended task has left, since it lay too deep. */
static void left(void) {
#pragma omp task untied
  {
    yield(1);
    omp_set_lock(&third);
    yield(3);
#pragma omp task
    use(&other);
    omp_unset_lock(&third);
  }
#pragma omp task untied
  {
    omp_set_lock(&lock);
    yield(2);
    omp_unset_lock(&lock);
    yield(1);
    omp_set_lock(&other);
#pragma omp task untied if (0)
    use(&third);
    omp_unset_lock(&other);
  }
#pragma omp task
  use(&lock);
}

/* On one thread no tied task begins while one is suspended of which it is no descendant. */
static void bound(void) {
#pragma omp task untied
  {
    omp_set_lock(&lock);
    yield(1);
    for (int i = 0; i < 4; i++) {
#pragma omp task
      {
        CHECK_EQ(inside++, 0);
#pragma omp task untied
        yield(3);
#pragma omp taskwait
        inside--;
      }
    }
#pragma omp taskwait
    omp_unset_lock(&lock);
  }
#pragma omp task
  use(&lock);
}

/* A region wants the lock of a suspended task, which needs many turns before it leaves it. */
static void region(void) {
#pragma omp task untied
  {
    omp_set_lock(&lock);
    yield(500);
    omp_unset_lock(&lock);
  }
#pragma omp task
  {
#pragma omp parallel num_threads(2)
    use(&lock);
  }
}

int main(void) {
  static void (*const part[])(void) = {undeferred, left, bound, region};
  omp_set_max_active_levels(2);
  omp_init_lock(&lock);
  omp_init_lock(&other);
  omp_init_lock(&third);
  for (unsigned i = 0; i < sizeof part / sizeof *part; i++)
    for (int j = 0; j < ROUNDS; j++)
      for (int members = 1; members <= (i == 2 ? 1 : 3); members++)
#pragma omp parallel num_threads(members)
#pragma omp single
        part[i]();
  omp_destroy_lock(&lock);
  omp_destroy_lock(&other);
  omp_destroy_lock(&third);
  return 0;
}
