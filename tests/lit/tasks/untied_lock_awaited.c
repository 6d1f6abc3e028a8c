/* untied_lock_awaited.c - what a suspended task waits for is begun, though its member waits for a
 * lock that the task holds, or for other tasks */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task that holds a lock is suspended, and waits for tasks that have not begun. These lie where
// its wait does not look at once: below what it has pushed last, behind another task's, with a
// member that waits for the lock itself, or they become ready later. All members then wait: for the
// lock, for their turn in an ordered loop, or for tasks that cannot end before.
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
#include <stdatomic.h>
#include <stdbool.h>

#include "check.h"

enum { ROUNDS = 20, MANY = 12 };

static omp_lock_t lock;
static int ran;
static atomic_bool held;

static void count(void) {
#pragma omp atomic
  ran++;
}
static void use_lock(void) {
  omp_set_lock(&lock);
  omp_unset_lock(&lock);
}
static void begin(void) {
  ran = 0;
  held = false;
}
/* Not without end: a runtime may begin no task at a taskyield. */
static void await_held(void) {
  for (int i = 0; i < 1000000 && !held; i++) {}
}

/* What the holder has pushed lies below the place where it goes on. tied: so many tied tasks, which
 * may be kept together; 0: one untied one. */
static void below(int members, int tied) {
  begin();
#pragma omp parallel num_threads(members)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp task untied
      {
        omp_set_lock(&lock);
        held = true;
        if (tied == 0) {
#pragma omp task untied
          count();
        }
        for (int i = 0; i < tied; i++) {
#pragma omp task
          count();
        }
#pragma omp taskyield
#pragma omp taskwait
        omp_unset_lock(&lock);
      }
#pragma omp taskyield
    } else if (omp_get_num_threads() == 2) {
      await_held();
    }
    use_lock();
  }
  CHECK_EQ(ran, tied == 0 ? 1 : tied);
}
static void below_one(int members) { below(members, 0); }
static void below_many(int members) { below(members, MANY); }

/* Two suspended tasks have left what they wait for, one task's behind the other's. */
static void behind(int members) {
  begin();
#pragma omp parallel num_threads(members)
#pragma omp single
  {
#pragma omp task untied
    {
      omp_set_lock(&lock);
#pragma omp taskyield
#pragma omp task untied
      count();
#pragma omp taskyield
#pragma omp taskwait
      omp_unset_lock(&lock);
    }
#pragma omp task untied
    {
#pragma omp taskyield
#pragma omp task untied
      count();
#pragma omp taskyield
#pragma omp taskwait
    }
    use_lock();
  }
  CHECK_EQ(ran, 2);
}

/* It waits for one child only, by a dependence, and yields again and again. */
static void depends(int members) {
  int x = 0;
  begin();
#pragma omp parallel num_threads(members)
#pragma omp single
  {
#pragma omp task untied shared(x)
    {
      omp_set_lock(&lock);
#pragma omp task untied depend(out : x) shared(x)
      {
        x = 1;
        count();
      }
#pragma omp taskyield
#pragma omp taskwait depend(in : x)
      CHECK_EQ(x, 1);
      omp_unset_lock(&lock);
#pragma omp taskwait
    }
#pragma omp task untied
    {
#pragma omp task untied
      count();
#pragma omp taskyield
#pragma omp taskwait
    }
#pragma omp taskyield
    use_lock();
  }
  CHECK_EQ(ran, 2);
}

/* What it waits for becomes ready after it was suspended, by a task that then wants the lock. */
static void later(int members) {
  int x = 0;
  begin();
#pragma omp parallel num_threads(members)
#pragma omp single
  {
#pragma omp task untied shared(x)
    {
      omp_set_lock(&lock);
#pragma omp task untied depend(out : x) shared(x)
      {
        for (int i = 0; i < 3; i++) {
#pragma omp taskyield
        }
        x = 1;
      }
      for (int i = 0; i < 3; i++) {
#pragma omp task depend(in : x)
        count();
      }
#pragma omp taskwait
      omp_unset_lock(&lock);
    }
#pragma omp taskyield
#pragma omp task
    use_lock();
    use_lock();
  }
  CHECK_EQ(ran, 3);
}

/* The member waits for other tasks, of which one wants the lock. */
static void taskwait(int members) {
  begin();
#pragma omp parallel num_threads(members)
#pragma omp single
  {
#pragma omp task untied
    {
      omp_set_lock(&lock);
      held = true;
#pragma omp task untied
      count();
#pragma omp taskyield
#pragma omp task untied
      count();
#pragma omp taskyield
#pragma omp taskwait
      omp_unset_lock(&lock);
    }
#pragma omp taskyield
#pragma omp task
    {
      for (int i = 0; i < 2; i++) {
#pragma omp task
        use_lock();
      }
#pragma omp taskwait
    }
  }
  CHECK_EQ(ran, 2);
}

/* The member waits for its turn, and the one that has the turn for the lock. */
static void ordered(int members) {
  begin();
#pragma omp parallel num_threads(members)
  {
    int last = omp_get_num_threads() - 1, me = omp_get_thread_num();
    if (me == last) {
#pragma omp task untied
      {
        omp_set_lock(&lock);
        held = true;
#pragma omp task untied
        count();
#pragma omp taskyield
#pragma omp taskwait
        omp_unset_lock(&lock);
      }
#pragma omp taskyield
    } else {
      await_held();
    }
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < members; i++) {
#pragma omp ordered
      use_lock();
    }
#pragma omp for ordered(1) schedule(static, 1)
    for (int i = 0; i < members; i++) {
#pragma omp ordered depend(sink : i - 1)
      use_lock();
#pragma omp ordered depend(source)
    }
  }
  CHECK_EQ(ran, 1);
}

int main(void) {
  static void (*const part[])(int) = {below_one, below_many, behind, depends,
                                      later,     taskwait,   ordered};
  omp_init_lock(&lock);
  for (int i = 0; i < ROUNDS; i++)
    for (unsigned j = 0; j < sizeof part / sizeof *part; j++)
      for (int members = 1; members <= 4; members++)
        part[j](members);
  omp_destroy_lock(&lock);
  return 0;
}
