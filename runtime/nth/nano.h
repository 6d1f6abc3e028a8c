/* nano.h - what programs do with nano-threads: create, queue, depend, wait
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         "Introducing Batches of Threads", section 4.1. The functions of nanogomp/nth.h
 *             without their variable arguments; abi/nth_api.c has those.
 * Errors      0 or an errno value. What a function refuses it leaves as it was: a queue gets a
 *             batch whole or not at all. What it can tell: NULL; a descriptor that is free, in a
 *             queue, running or not created; a batch whose last member does not follow its first;
 *             numbers out of range. What it cannot: a descriptor that was recycled and is somebody
 *             else's by now, two threads that queue the same one at the same moment
 * Cost        of queueing: for each member of a batch nine instructions, with two loads and two
 *             stores of lines that its creation has just brought; for the batch a push or one lock,
 *             some 120 instructions
 * Tested by   tests/unit/nth.c, tests/lit/nth
 */
#ifndef NTH_NTH_NANO_H
#define NTH_NTH_NANO_H

#include <stdarg.h>
#include <stdbool.h>

#include "runtime/nth/desc.h"

/* What a nano-thread is created from. */
struct nth_form {
  void (*fn)(void);
  int ndep, nsucc, narg;
  struct nth_desc *only; /* nsucc < 0: its one successor, NULL: none. Else the list has nsucc of
                          * them */
  va_list *list;         /* successors, then arguments */
};

int nth_nano_create(const struct nth_form *form, struct nth_desc **made);

/* What the last one of a batch that is in no queue links to: never MADE, so that whoever looks for
 * its last member need not look for its end, too. */
extern struct nth_desc nth_nano_end;

/* n > 0 out of a pool, linked and not created. False: no memory for them. */
bool nth_nano_gather(struct nth_pool *pool, uint64_t n, struct nth_series *series);

/* A batch of n, linked and not created; n == 0: an empty one. */
int nth_nano_batch(long n, struct nth_desc **first, struct nth_desc **last);
/* A member of a batch. */
int nth_nano_create_in(struct nth_desc *d, const struct nth_form *form);
/* The one behind d in its batch, NULL: d is the last. */
static inline int nth_nano_next(const struct nth_desc *d, struct nth_desc **next) {
  bool in_batch =
      d && (nth_deps_state(&d->deps) == NTH_GOT || nth_deps_state(&d->deps) == NTH_MADE);
  *next = in_batch && d->next != &nth_nano_end ? d->next : 0;
  return in_batch ? 0 : EINVAL;
}

/* Queues first to last for processor `which`. */
int nth_nano_put(int which, struct nth_desc *first, struct nth_desc *last, bool at_end);

/* The same for the domain `level` levels above the smallest one of processor `which`; level < 0:
 * for the root. */
int nth_nano_aim(int which, int level, struct nth_desc *first, struct nth_desc *last, bool at_end);

int nth_nano_depend(struct nth_node *node, long n);
int nth_nano_block(void);

#endif
