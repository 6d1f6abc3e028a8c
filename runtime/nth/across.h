/* across.h - nano-threads that wait for tasks of OpenMP, and tasks that wait for nano-threads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A program may use both, and each may need what the other computes. Both wait by the
 *             same counter in the same node (struct/head.h). So this file only makes nodes of the
 *             one kind usable where the other is wanted.
 * Tasks       A task that waits for nano-threads: the event of the task is a node, and nano-threads
 *             may have it as a successor. of() gives the event of a task made with detach. make()
 *             makes a child of the calling task that runs nothing and has only an event
 * Nano-thread A nano-thread that waits for tasks: depend() makes a task, the stand-in, that stands
 *             for the nano-thread among its siblings' dependences (NTH_KIND_PLACE). When the
 *             stand-in waits for no sibling any longer, it takes one off what the nano-thread waits
 *             for. The stand-in's event is one more successor of the nano-thread, so the
 *             nano-thread's end ends it
 * Invariants  I1  a stand-in that has not handed over counts as a queued nano-thread (processor.h
 *                 I2), so that the processors stay for it
 * Orders      deps.h; processor.h: D; machine.h: O
 * Cost        a task without a function; the end and the start of a nano-thread cost the same as
 *             with other successors
 * Tested by   tests/lit/nth/across_*.c, tests/model/across
 */
#ifndef NTH_NTH_ACROSS_H
#define NTH_NTH_ACROSS_H

#include "runtime/nth/desc.h"

/* Errors as in nano.h. event: of a task made with detach, not fulfilled yet. */
int nth_across_of(void *event, struct nth_node **node);
/* n > 0: as many nano-threads will have it as a successor. */
int nth_across_make(long n, struct nth_node **node);
/* Gives d a place among the tasks that access the same addresses. d has been created and is not
 * queued. kind[i]: NTH_DEPEND_ (depend.h), of address[i]. */
int nth_across_depend(struct nth_desc *d, int n, void *const address[], const int kind[]);

#endif
