/* task_batch.h - many tasks of one construct in one descriptor
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         "Handling Massive Parallelism Efficiently: Introducing Batches of Threads": what
 *             costs is to take a descriptor and to queue it, so this should be paid once for N
 *             tasks. There a batch is a chain of N descriptors. The tasks of a taskloop differ in
 *             their part of the loop only; so here it is one descriptor: the numbers of the parts
 *             that have not begun, and the arguments they begin with. A million tasks are a few
 *             descriptors.
 * Use         nth_task_batch_create() by the construct; nth_task_batch_run() by who takes one out
 *             of a queue, which is nth_task_run()
 * Run         A batch is one item of the deque. Its runner works through it so:
 *               take a part; put the batch back; run the part; take the batch back
 *             Both cost a few plain stores and loads (deque.h), and the batch lies there while the
 *             part runs, for thieves to find as any task, however long the part takes.
 *             Each part is a task of its own, with its own copy of the arguments, ICVs and
 *             children. They use one descriptor one after the other while they leave it as it was
 *             (no NTH_TASK_CHANGED); a part that has had children or set ICVs leaves it to them.
 * Copies      Arguments that the program's own function has to copy are made where the construct
 *             stands, as many as a descriptor of the pools has room for; they lie side by side in
 *             the first batch, and the parts run in them. Such parts run even when the region is
 *             cancelled.
 * Split       Busy members never split. A hungry one leaves a mark in the deque's word, at which
 *             the runner looks behind each put; then it splits off the farther half as another
 *             batch, which goes to the lowest domain in which somebody is idle (ready.h),
 *             publishes its own, and calls for help. So who is idle finds a half by a look on its
 *             path, wherever the runner is. A runner in a long part does not look: the thief takes
 *             all that is left, by force, and what it offers first is a half of that, for the
 *             robbed one and others. Whoever robs a batch calls somebody else: so one call for a
 *             batch is enough, and n members have parts after log n steps. Who docks for want of
 *             tasks leaves a mark first and looks then; but a put in a store buffer may be
 *             overlooked, and who is about to dock cannot be called. So the runner calls without a
 *             mark, too, after 1, 3, 7 ... parts.
 * Count       A batch, with what is split off from it, counts as one child and as one task of its
 *             group and team: the first one, which finishes when all parts have. That is all that
 *             anybody can wait for.
 * Order       A batch descends from the task that met the construct, of no part. So a wait in a
 *             part starts no other part: the batch lies below its base, and others' do not descend
 *             from it.
 * Invariants  I1  parts next .. end - 1 have not begun. Whoever has taken the batch out of the
 *                 queues owns it; while a part runs its runner has only what it has kept aside
 *             I2  first->left = parts not finished, where a runner reports those it has run when it
 *                 gives up the batch or has come to its end
 *             I3  a batch's task has no children and no references: it is nobody's parent
 * Orders      P   left: each runner's subtraction -> the last one's: what the parts wrote
 *             S   a thief's mark, fence, its look at head; the runner's put, light fence, its look
 *                 at the mark. Its call: fence, a look at sleepers, who announce themselves, fence,
 *                 and leave a mark. The batch itself is handed on by the deque (deque:A, B)
 * Cost        a part: some 45 instructions, none locked, on lines of the runner's own and the
 *             deque's shared one, which nobody changes while nobody is hungry. A batch: a
 *             descriptor, and a locked subtraction; a descriptor for the parts of each runner
 * Tested by   tests/lit/tasks/taskloop*, tests/lit/cxx/taskloop.cpp, tests/lit/cancel/taskloop.c,
 *             tests/model/task_batch, tests/unit/task_batch.c
 */
#ifndef NTH_OMP_TASK_BATCH_H
#define NTH_OMP_TASK_BATCH_H

#include "runtime/omp/tasks/task.h"

/* A loop, {base, step, last} as in loop.h, in parts: the first `longer` ones have size + 1
 * iterations, the others size; the last one ends where the loop ends. */
struct nth_division {
  uint64_t base, step, last;
  uint64_t parts, size, longer;
};

/* Where part i begins, in the loop's own values. */
static inline uint64_t nth_division_at(const struct nth_division *d, uint64_t i) {
  return d->base + (i * d->size + (i < d->longer ? i : d->longer)) * d->step;
}

/* Its end, exclusive. */
static inline uint64_t nth_division_end(const struct nth_division *d, uint64_t i) {
  return i + 1 == d->parts ? d->last : nth_division_at(d, i + 1);
}

/* A part's place in the loop, as the first two words of its arguments say it. */
struct nth_bounds {
  uint64_t from, to;
};

static inline struct nth_bounds nth_division_bounds(const struct nth_division *d, uint64_t i) {
  return (struct nth_bounds){nth_division_at(d, i), nth_division_end(d, i)};
}

/* Makes parts next, next + 1 ... of a loop deferred tasks of the current one: all that are left, or
 * with a->copy as many as a descriptor has room for. Returns how many; 0: none, for want of memory
 * or because there is one only. goes_on: the caller does not wait for them at once, so half of them
 * goes to a domain in which somebody is idle; else its own deque is the cheapest place for them.
 * Each part has arguments of a->size bytes, 16 at least, of which the first two words say where it
 * begins and ends. a->priority, a->depend and a->event are not there. */
uint64_t nth_task_batch_create(struct nth_member *m, const struct nth_task_args *a,
                               const struct nth_division *d, uint64_t next, bool goes_on);

/* Runs the batch, as far as others leave it to this member, or discards it when its region is
 * cancelled. t: its task, NTH_TASK_BATCH, out of the queues. */
void nth_task_batch_run(struct nth_member *m, struct nth_task *t);

/* I1 and I2, by its owner between two parts. */
bool nth_task_batch_valid(const struct nth_task *t);

#endif
