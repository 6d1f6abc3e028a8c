/* exclusion.h - mutexinoutset: tasks that exclude each other, in any order
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 15.9.5: sibling tasks with mutexinoutset on one object may run
 *             in any order, but one at a time. No thread blocks for that. A task takes its
 *             exclusions when its other dependences are resolved. An exclusion that is held keeps
 *             the task in a list until it is released.
 * How         An exclusion is one word: 0 is free, else HELD with the list of waiting tasks above
 *             it. A task takes its exclusions in the order of their addresses, and keeps them
 *             while it waits for the next: no cycle. At its end, the holder hands the exclusion to
 *             one of the waiting tasks. If all of them tried, the cost would be the square of
 *             their number.
 * Invariants  I1  a task waits in the list of at most one exclusion, and nobody else touches it
 *                 then
 *             I2  an exclusion lives while refs > 0. References are held by the group in the
 *                 table, and by each task that uses it
 *             I3  only the holder takes a task out of the list. So the head that it sees stays in
 *                 the list, with the same `next`, until the holder itself has moved the word (no
 *                 ABA)
 * Orders      X   release: CAS release -> take: CAS acquire: the former holder's writes; wait: CAS
 *                 release -> the holder's acquire: the waiting task's fields
 * Cost        take, release: one CAS. Memory: an object of a pool for each group, one for each
 *             task
 * Tested by   tests/lit/tasks/depend*
 */
#ifndef NTH_OMP_EXCLUSION_H
#define NTH_OMP_EXCLUSION_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/mem/pool.h"

struct nth_depend;

/* The object that excludes: one for each mutexinoutset group of an address. */
struct nth_exclusive {
  NTH_POOL_NOT_OURS;
  _Atomic(uintptr_t) word; /* X */
  _Atomic(uint32_t) refs;  /* I2 */
};

/* A task's use of its exclusions; belongs to its struct nth_depend. */
struct nth_exclusion {
  NTH_POOL_NOT_OURS;
  struct nth_exclusive **object; /* ascending addresses, none twice; own[], unless there are more */
  uint32_t count, capacity;
  uint32_t held;           /* how many of them it has taken, with the one that it waits for */
  struct nth_depend *next; /* in the list in which it waits */
  struct nth_exclusive *own[NTH_EXCLUSIONS_OWN];
};

struct nth_exclusive *nth_exclusive_make(void);
void nth_exclusive_unref(struct nth_exclusive *x);

/* From now on the task of d needs x, too. */
void nth_exclusion_add(struct nth_depend *d, struct nth_exclusive *x);
/* Takes the exclusions that d still needs. False: d waits in a list, and nth_depend_start()
 * follows. */
bool nth_exclusion_take(struct nth_depend *d);
/* nth_exclusion_release: the task of d has finished. nth_exclusion_free: its memory goes. */
void nth_exclusion_release(struct nth_depend *d);
void nth_exclusion_free(struct nth_depend *d);

#endif
