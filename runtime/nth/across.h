/* across.h - nano-threads and OpenMP's tasks that wait for each other
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A program may use both, and what one computes the other needs. Both wait by the same
 *             counter in the same node (struct/head.h), so what is here are only ways to name the
 *             one where the other is wanted.
 * Tasks behindnano-threads: the event of a task is a node, and nano-threads may have it as
 *             successor. of() is that of a task made with detach; make() a child of the calling
 *             task that runs nothing, with an event only.
 * Nano-threadsbehind tasks: depend() makes a task that stands for the nano-thread among its
 *             siblings' dependences (NTH_KIND_PLACE). When it is behind nobody any more it takes
 *             one off what the nano-thread waits for; its event is one more successor of that one,
 *             whose end ends it
 * Invariants  I1  a place that has not handed over counts as a nano-thread that is queued
 *                 (processor.h I2), so that the processors stay for it
 * Orders      deps.h; processor.h: D; machine.h: O
 * Cost        a task without function; a nano-thread's end and start as with other successors
 * Tested by   tests/lit/nth/across_*.c, tests/model/across
 */
#ifndef NTH_NTH_ACROSS_H
#define NTH_NTH_ACROSS_H

#include "runtime/nth/desc.h"

/* Errors as nano.h. of: made with detach, before its event is fulfilled. */
int nth_across_of(void *event, struct nth_node **node);
/* n > 0 nano-threads will name it. */
int nth_across_make(long n, struct nth_node **node);
/* d, which has been created and is not queued, gets its place behind and before those that access
 * the same addresses, kind: NTH_DEPEND_, each; depend.h. */
int nth_across_depend(struct nth_desc *d, int n, void *const address[], const int kind[]);

#endif
