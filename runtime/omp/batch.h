/* batch.h - many tasks of one construct in one descriptor
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         "Handling Massive Parallelism Efficiently: Introducing Batches of Threads": what costs is
 *             to take a descriptor and to queue it, so this should be paid once for N tasks. There a
 *             batch is N descriptors in a chain. The tasks of a taskloop differ in their part of the
 *             loop only; so here it is one descriptor: the numbers of the parts that have not begun,
 *             and the arguments that all start with. A million tasks are a few descriptors.
 * Use         nth_batch_create() by the construct; nth_batch_run() by who takes one out of a queue, which
 *             is task.c's run()
 * Run         A batch is a task in the deque, whose runner takes one part after the other out of it:
 *               take a part; put the batch back; run the part; take the batch back
 *             Put and taken back it costs a few plain stores and loads (deque.h), yet it lies there
 *             while the part runs, where a thief finds it as it finds any task, however long that takes.
 *             Each part is a task of its own, with its own copy of the arguments, ICVs and children.
 *             They use one descriptor, one after the other, as long as the parts leave it as it was
 *             (NTH_TASK_FRAME stands for that): a part with children leaves it to them.
 * Split       Busy members never split. A hungry one leaves its mark in the deque's word, at which the
 *             runner looks before each part: then it splits off the farther half as a batch of its own,
 *             publishes both, and calls for help. When the runner is in a long part the thief takes all
 *             that is left by force, and the first thing that a thief does is to offer a half of it:
 *             for the one it has robbed, and others. So tasks spread as a tree, and n are split into
 *             a number of pieces that grows with the logarithm of n.
 *             Somebody may look in the few instructions between taken back and put, and go to dock:
 *             so the runner calls for help now and then without a mark, less and less often.
 * Count       A construct counts as one child, one task of its group and of the team: its first batch,
 *             which finishes when all parts have. They are all that anybody can wait for: nobody waits
 *             for one part.
 * Order       A batch, and what is split off, descends from the task that met the construct, no part
 *             of it. So a part's waits start no other part: these lie below its base, or do not descend.
 * Invariants  I1  parts next .. end - 1 have not begun. Whoever has taken the batch out of the queues owns
 *                 it; a part that runs knows the descriptor and the arguments of its runner only
 *             I2  first->left = parts of the construct that are not finished, where a runner reports
 *                 those it has run when it gives up the batch or has come to its end
 *             I3  a batch's task has no children and no references: it is nobody's parent
 * Orders      P   left: each runner's subtraction -> the last one's: what the parts wrote
 *             S   mark: a sleeper announces itself, fences, leaves a mark; the runner sees the mark,
 *                 fences, and looks for sleepers. The fields are handed on by the deque (deque:A, B)
 * Cost        a part: some 40 instructions and no locked one, lines of the runner's own and the deque's
 *             shared line, unchanged while nobody is hungry. A batch: a descriptor and a locked
 *             subtraction; the runner's own descriptor for the parts
 * Tested by   tests/lit/tasks/taskloop*, tests/unit/batch.c
 */
#ifndef NTH_OMP_BATCH_H
#define NTH_OMP_BATCH_H

#include "runtime/omp/task.h"

/* A loop, {base, step, last} as in loop.h, in parts: the first `longer` ones have size + 1 iterations,
 * the others size; the last one ends where the loop ends. */
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

/* Makes parts next, next + 1 ... of a loop deferred tasks of the current one: all that are left, or with
 * a->copy as many as a descriptor has room for. Returns how many; 0: none, for want of memory or because
 * there is one only. Each part has arguments of a->size bytes, 16 at least, of which the first two words
 * say where it begins and ends. a->priority, a->depend and a->event are not there. */
uint64_t nth_batch_create(struct nth_member *m, const struct nth_task_args *a,
                          const struct nth_division *d, uint64_t next);

/* Runs the batch, as far as others leave it to this member, or discards it when its region is cancelled.
 * t: its task, NTH_TASK_BATCH, out of the queues. */
void nth_batch_run(struct nth_member *m, struct nth_task *t);

/* I1 and I2, by its owner between two parts. */
bool nth_batch_valid(const struct nth_task *t);

#endif
