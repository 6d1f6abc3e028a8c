/* nano.h - what programs do with nano-threads: create, queue, depend, wait
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The functions of nanogomp/nth.h without their variable arguments, which abi/nth_api.c
 *             decodes ("Introducing Batches of Threads", section 4.1).
 * Errors      0 or an errno value. A call that is refused changes nothing: a queue gets a whole
 *             batch or nothing of it. These mistakes are found: NULL; a descriptor that is free,
 *             queued, running or not created; a batch whose last member does not follow its first;
 *             numbers out of range. These are not: a descriptor that was given back and is another
 *             nano-thread's by now; two threads that queue the same one at the same moment
 * Cost        of queueing: for each member of a batch nine instructions, with two loads and two
 *             stores of lines that its creation has just brought; for the whole batch a push or one
 *             lock, some 120 instructions
 * Tested by   tests/unit/nth.c, tests/lit/nth
 */
#ifndef NTH_NTH_NANO_H
#define NTH_NTH_NANO_H

#include <stdarg.h>
#include <stdbool.h>

#include "runtime/nth/desc.h"

/* What a nano-thread is created from: the arguments of nth_create(). */
struct nth_form {
  void (*fn)(void);
  int ndep, nsucc, narg;
  struct nth_desc *only; /* nsucc < 0: the one successor, NULL: none. nsucc >= 0: the list has that
                          * many */
  va_list *list;         /* successors, then arguments */
};

int nth_nano_create(const struct nth_form *form, struct nth_desc **made);

/* The last member of a batch that is not queued links to this. It is never MADE, so a search for
 * the last member need not look for the end, too. */
extern struct nth_desc nth_nano_end;

/* The pool of r, the calling thread: a processor, or a thread of the program's own. */
struct nth_runner;
struct nth_pool *nth_runner_pool(const struct nth_runner *r);

/* Takes n > 0 descriptors out of a pool, linked and not created. False: no memory for all of them;
 * then it keeps none. */
bool nth_nano_gather(struct nth_pool *pool, uint64_t n, struct nth_series *series);

/* A batch of n members, linked and not created; n == 0: an empty one. */
int nth_nano_batch(long n, struct nth_desc **first, struct nth_desc **last);
/* Creates d, a member of a batch. */
int nth_nano_create_in(struct nth_desc *d, const struct nth_form *form);
/* The member after d in its batch; NULL: d is the last. */
static inline int nth_nano_next(const struct nth_desc *d, struct nth_desc **next) {
  bool in_batch =
      d && (nth_deps_state(&d->deps) == NTH_GOT || nth_deps_state(&d->deps) == NTH_MADE);
  *next = in_batch && d->next != &nth_nano_end ? d->next : 0;
  return in_batch ? 0 : EINVAL;
}

/* Queues first to last for processor `which`. */
int nth_nano_put(int which, struct nth_desc *first, struct nth_desc *last, bool at_end);

/* Queues them for the domain that is `level` levels above the smallest one of processor `which`;
 * level < 0: for the root. */
int nth_nano_aim(int which, int level, struct nth_desc *first, struct nth_desc *last, bool at_end);

int nth_nano_depend(struct nth_node *node, long n);
int nth_nano_block(void);

#endif
