/* tholder.h - the operations of nanogomp/tholder.h on created threads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The public header says what each does; they return 0 or an errno value. How a created thread goes
 * from state to state: errand.h. Which OS thread runs it: held.h.
 *
 * Orders      J   of two threads that join each other, each writes `joins`, full fence, reads the
 *                 other's: one sees the other's [one fence: both run it]. If both do, the held
 *                 threads' lock decides: the first one there is told, and the second one joins it
 * Tested by   tests/model/held, tests/lit/tholder
 */
#ifndef NTH_SCHED_THOLDER_H
#define NTH_SCHED_THOLDER_H

#include <pthread.h>
#include <stdint.h>

int nth_tholder_create(uint64_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                       void *argument);
int nth_tholder_join(uint64_t thread, void **result);
int nth_tholder_detach(uint64_t thread);
int nth_tholder_cancel(uint64_t thread);
/* 0: no memory. */
uint64_t nth_tholder_self(void);

struct nth_tholder_counts {
  uint64_t created, own;
};
struct nth_tholder_counts nth_tholder_count(void);

#endif
