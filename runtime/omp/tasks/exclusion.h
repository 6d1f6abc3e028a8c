/* exclusion.h - mutexinoutset: tasks that exclude each other, in any order
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 15.9.5: sibling tasks with mutexinoutset on one object may run in
 *             any order, but one at a time. Nobody blocks for that: a task takes its exclusions
 *             when its other dependences are resolved; one that is held keeps the task until it is
 *             released.
 * How         An exclusion is one word: 0 free, else HELD with the list of waiting tasks above it.
 *             A task takes its exclusions in the order of their addresses, and keeps those it has
 *             while it waits for the next: no cycle. The holder, at its end, hands the exclusion to
 *             one of those who wait; to let all of them try would cost the square of their number.
 * Invariants  I1  a task waits in at most one exclusion's list, and is touched by nobody else then
 *             I2  an exclusion lives while refs > 0: the table's group, each use
 *             I3  only the holder takes a task out of the list, so the head it sees stays in the
 *                 list, with the same next one, until it has moved the word itself (no ABA)
 * Orders      X   release: CAS release -> take: CAS acquire: the former holder's writes;
 *                 wait: CAS release -> the holder's acquire: the waiting task's fields
 * Cost        take, release: one CAS. Memory: an object of a pool a group, one a task
 * Tested by   tests/lit/tasks/depend*
 */
#ifndef NTH_OMP_EXCLUSION_H
#define NTH_OMP_EXCLUSION_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/mem/pool.h"

struct nth_depend;

/* The object: one a mutexinoutset group of an address. */
struct nth_exclusive {
  NTH_POOL_NOT_OURS;
  _Atomic(uintptr_t) word; /* X */
  _Atomic(uint32_t) refs;  /* I2 */
};

/* A task's use of its exclusions; belongs to its depend. */
struct nth_exclusion {
  NTH_POOL_NOT_OURS;
  struct nth_exclusive **object; /* ascending addresses, none twice; own, unless there are more */
  uint32_t count, capacity;
  uint32_t held;           /* how many of them it has taken, and the one it waits for */
  struct nth_depend *next; /* in the list it waits in */
  struct nth_exclusive *own[NTH_EXCLUSIONS_OWN];
};

struct nth_exclusive *nth_exclusive_make(void);
void nth_exclusive_unref(struct nth_exclusive *x);

/* The task of d will run under x, too. */
void nth_exclusion_add(struct nth_depend *d, struct nth_exclusive *x);
/* Takes what d still needs. False: it waits in a list, and nth_depend_start() follows. */
bool nth_exclusion_take(struct nth_depend *d);
/* Its task has finished. */
void nth_exclusion_release(struct nth_depend *d);
void nth_exclusion_free(struct nth_depend *d);

#endif
