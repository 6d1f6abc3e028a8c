/* race.h - what the programs of this folder share
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Each program is two: as it stands it has no race, with -DRACY it has one. The sanitizer sees a
 * race if two threads make its accesses, and one of them is over before the other begins. So the
 * accesses of a race stand in RACE(): there the threads wait for each other first, and take turns
 * then, by relaxed atomics, which order nothing.
 */
#ifndef RACE_H
#define RACE_H

#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#ifdef RACY
#define RACY_IF(racy, right) racy
#else
#define RACY_IF(racy, right) right
#endif

/* How many threads have come to a point, and how many have done their access there. */
struct point {
  int here, done;
};

/* Waits until a count has reached `least`. A program that cannot meet has 10 seconds in all. */
static inline void await(int *count, int least) {
  static int tired;
  time_t end = time(0) + 10;
  while (__atomic_load_n(count, __ATOMIC_RELAXED) < least &&
         !__atomic_load_n(&tired, __ATOMIC_RELAXED)) {
    sched_yield();
    if (time(0) > end)
      __atomic_store_n(&tired, 1, __ATOMIC_RELAXED);
  }
}

/* Waits until `count` callers have come, the next ones until it is as many again. The caller's
 * number. */
static inline int meet(struct point *p, int count) {
  int mine = __atomic_fetch_add(&p->here, 1, __ATOMIC_RELAXED);
  await(&p->here, (mine / count + 1) * count);
  return mine;
}

/* Whether the caller is among the first so many. */
static inline int is_early(int *calls, int count) {
  return __atomic_fetch_add(calls, 1, __ATOMIC_RELAXED) < count;
}

/* One access of `count` that race. */
#ifdef RACY
#define RACE(p, count, access)                                                                     \
  do {                                                                                             \
    await(&(p)->done, meet(p, count));                                                             \
    access;                                                                                        \
    __atomic_fetch_add(&(p)->done, 1, __ATOMIC_RELAXED);                                           \
  } while (0)
#else
#define RACE(p, count, access)                                                                     \
  do {                                                                                             \
    (void)(p);                                                                                     \
    access;                                                                                        \
  } while (0)
#endif
#define ONLY_RACY(statement)                                                                       \
  do {                                                                                             \
    if (RACY_IF(1, 0))                                                                             \
      statement;                                                                                   \
  } while (0)

/* The status of the program. The compiler must keep what `good` is made of. */
static inline int check(int good) {
  volatile int kept = good;
  return kept || RACY_IF(1, 0) ? 0 : 1;
}

#endif
