/* mutexes.c - pthread mutexes held over waits; pthread_self */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a normal, recursive, errorcheck or robust mutex and a read-write lock taken before a
// barrier, critical or taskyield are the member's afterwards and nobody else's; that mutexes shut
// others out; and that pthread_self is different in each member, the same after waits.
// UNSUPPORTED: tsan
// (ThreadSanitizer reports that others try to unlock.)
// RUN: %members_test
#include "members.h"

enum { NORMAL, RECURSIVE, ERRORCHECK, ROBUST, KINDS };

static pthread_mutex_t mutex[KINDS];
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static struct identity who[MEMBERS];
static long counted[KINDS];

static void make(void) {
  static const int types[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE,
                              PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_NORMAL};
  for (int kind = 0; kind < KINDS; kind++) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, types[kind]);
    if (kind == ROBUST)
      pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    CHECK_EQ(pthread_mutex_init(&mutex[kind], &attributes), 0);
  }
}

static void held_by_me(int kind) {
  if (kind == RECURSIVE) {
    CHECK_EQ(pthread_mutex_lock(&mutex[kind]), 0);
    CHECK_EQ(pthread_mutex_unlock(&mutex[kind]), 0);
  } else if (kind == ERRORCHECK) {
    CHECK_EQ(pthread_mutex_lock(&mutex[kind]), EDEADLK);
  } else {
    CHECK_EQ(pthread_mutex_trylock(&mutex[kind]), EBUSY);
  }
}

static void held_by_another(int kind) {
  CHECK_EQ(pthread_mutex_trylock(&mutex[kind]), EBUSY);
  if (kind == RECURSIVE || kind == ERRORCHECK)
    CHECK_EQ(pthread_mutex_unlock(&mutex[kind]), EPERM);
}

/* One member has it while all go through barriers. */
static void over_barriers(int me, int owner, int kind) {
  if (me == owner)
    CHECK_EQ(pthread_mutex_lock(&mutex[kind]), 0);
  for (unsigned way = 0; way < WAYS_TOGETHER; way++) {
    pass_together(way);
    if (me == owner)
      held_by_me(kind);
    else
      held_by_another(kind);
    pass_alone(way);
  }
#pragma omp barrier
  if (me == owner)
    CHECK_EQ(pthread_mutex_unlock(&mutex[kind]), 0);
#pragma omp barrier
}

/* All want it, and who has it waits in the runtime: only by trylock, so that it comes to run. */
static void over_points(int kind, unsigned way) {
  while (pthread_mutex_trylock(&mutex[kind])) {
#pragma omp taskyield
  }
  long before = counted[kind];
  pass_alone(way);
  held_by_me(kind);
  CHECK_EQ(counted[kind], before);
  counted[kind] = before + 1;
  CHECK_EQ(pthread_mutex_unlock(&mutex[kind]), 0);
}

static void rwlock_over_barrier(int me, int owner) {
  if (me == owner)
    CHECK_EQ(pthread_rwlock_wrlock(&rwlock), 0);
#pragma omp barrier
  CHECK_EQ(pthread_rwlock_tryrdlock(&rwlock), EBUSY);
  if (me == owner)
    CHECK_EQ(pthread_rwlock_rdlock(&rwlock), EDEADLK);
#pragma omp barrier
  if (me == owner)
    CHECK_EQ(pthread_rwlock_unlock(&rwlock), 0);
#pragma omp barrier
}

int main(void) {
  int regions = 0;
  double end = check_seconds() + 1;
  make();
  for (; regions < 2 * MEMBERS && (regions == 0 || check_seconds() < end); regions++) {
#pragma omp parallel num_threads(MEMBERS)
    {
      int me = omp_get_thread_num();
      identity_take(&who[me], me);
      for (int kind = 0; kind < KINDS; kind++) {
        over_barriers(me, (regions + kind) % MEMBERS, kind);
        for (unsigned way = 0; way < WAYS_ALONE; way++)
          over_points(kind, way);
      }
      rwlock_over_barrier(me, (regions + 3) % MEMBERS);
      errno = 1000 + me;
      identity_check(&who[me]);
    }
    identities_differ(who, MEMBERS);
  }
  for (int kind = 0; kind < KINDS; kind++)
    CHECK_EQ(counted[kind], MEMBERS * WAYS_ALONE * (long)regions);
  members_end();
  return 0;
}
