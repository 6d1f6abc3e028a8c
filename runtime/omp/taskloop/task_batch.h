/* task_batch.h - batches: many tasks of one construct in one descriptor
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         "Handling Massive Parallelism Efficiently: Introducing Batches of Threads": what
 *             costs is to take a descriptor and to queue it, so this should be paid once for N
 *             tasks. In the paper a batch is a chain of N descriptors. The tasks of a taskloop
 *             differ only in their part of the loop, so here a batch is one descriptor: the
 *             numbers of the parts that have not begun, and the arguments with which they begin. A
 *             million tasks are a few descriptors.
 * Use         nth_task_batch_create() by the construct. nth_task_run() runs a batch that is out of
 *             the queues: its data begins with the function that does so (struct nth_task_self)
 * Run         A batch is one item of the deque. The member that runs it repeats four steps:
 *               take a part; put the batch back; run the part; take the batch back
 *             Putting and taking cost a few plain stores and loads (deque.h). The batch lies in
 *             the deque while the part runs, so thieves find it as they find any task, however
 *             long the part takes.
 *             Each part is a task of its own, with its own copy of the arguments, ICVs and
 *             children. Parts use one descriptor one after the other, as long as they leave it
 *             unchanged (no NTH_TASK_CHANGED). A part that has had children or set ICVs keeps the
 *             descriptor, and the next part gets another one.
 * Copies      Arguments that the program's own function has to copy are copied where the construct
 *             stands, for as many parts as a descriptor of the pools has room for. The copies lie
 *             side by side in the first batch, and the parts run in them. Such parts run even when
 *             the region is cancelled.
 * Split       Busy members never split a batch. A hungry member leaves a mark in the deque's word;
 *             the runner looks at the mark after each put. Then the runner splits off the farther
 *             half as another batch, which goes to the lowest domain in which a member is idle
 *             (ready.h), publishes its own half, and calls for help. So an idle member finds a
 *             half by a look on its path, wherever the runner is.
 *             A runner in a long part does not look. Then the thief takes the whole batch by
 *             force, and first offers half of it, for the robbed member and others. Whoever robs a
 *             batch calls another member. So one call is enough for a batch, and n members have
 *             parts after log n steps.
 *             A member that docks for want of tasks leaves its mark first and looks then. But a
 *             put that is still in a store buffer may be overlooked, and a member that is about to
 *             dock cannot be called. Nor does a member see a batch that its runner has in hand, as
 *             before the first part, and so it may fall asleep. So the runner also calls without a
 *             mark, before the first part and after 1, 3, 7 ... parts.
 * Safe point  While fewer processors are asked for (permit.h), the runner puts the rest back after
 *             each part, and is at a safe point. If it rests there, others run the rest; else it
 *             finds the batch again.
 * Count       A batch, with all that is split off from it, counts as one child, and as one task of
 *             its group and team. What is counted is the first batch, which finishes when all
 *             parts have finished. No wait can ask for less than all parts. A part that was made a
 *             task of its own (task_part.c) counts, too.
 * Order       A batch descends from the task that met the construct, not from a part. So a wait in
 *             a part starts no other part of the same batch: the batch lies below the part's base,
 *             and others' batches do not descend from the part.
 * Invariants  I1  parts next .. end - 1 have not begun. The member that has taken the batch out of
 *                 the queues owns it. While a part runs, its runner knows only what it has kept
 *                 aside
 *             I2  first->left = parts not finished. A runner reports the parts that it has run
 *                 when it gives up the batch or comes to its end
 *             I3  a batch's task has no children and no references: it is nobody's parent
 * Orders      P   left: each runner's subtraction -> the last one's: what the parts wrote
 *             S   a thief: its mark, fence, its look at head; the runner: its put, light fence,
 *                 its look at the mark. A call: fence, a look at sleepers; a sleeper: its
 *                 announcement, fence, its mark. The deque itself hands the batch on (deque:A, B)
 * Cost        a part: some 45 instructions, none locked, on lines of the runner's own and the
 *             deque's shared one, which nobody changes while no member is hungry. A batch: a
 *             descriptor and a locked subtraction. A runner: a descriptor for its parts
 * Tested by   tests/lit/tasks/taskloop*, tests/lit/cxx/taskloop.cpp, tests/lit/cancel/taskloop.c,
 *             tests/model/task_batch, tests/unit/task_batch.c, tests/lit/request/taskloop.c
 */
#ifndef NTH_OMP_TASK_BATCH_H
#define NTH_OMP_TASK_BATCH_H

#include "runtime/omp/tasks/task.h"

/* A loop, {base, step, last} as in loop.h, cut into parts. The first `longer` parts have size + 1
 * iterations, the others have size; the last part ends where the loop ends. */
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

/* A part's place in the loop: the first two words of its arguments. */
struct nth_bounds {
  uint64_t from, to;
};

static inline struct nth_bounds nth_division_bounds(const struct nth_division *d, uint64_t i) {
  return (struct nth_bounds){nth_division_at(d, i), nth_division_end(d, i)};
}

/* Makes parts next, next + 1 ... of a loop deferred tasks of the current one: all the parts that
 * are left, or with a->copy as many as a descriptor has room for. Returns how many; 0: none, for
 * want of memory or because there is only one. goes_on: the caller does not wait for them at once,
 * so half of them goes to a domain in which a member is idle; else the caller's own deque is the
 * cheapest place. Each part has arguments of a->size bytes, at least 16; the first two words say
 * where it begins and ends. a->priority, a->depend and a->event are not used. */
uint64_t nth_task_batch_create(struct nth_member *m, const struct nth_task_args *a,
                               const struct nth_division *d, uint64_t next, bool goes_on);

/* Runs the batch, as far as other members leave it to this one, or discards it when its region is
 * cancelled. t: the batch's task, NTH_TASK_BATCH, out of the queues. */
void nth_task_batch_run(struct nth_member *m, struct nth_task *t);

/* Takes the next part out of such a batch, as a task of its own that is in no queue (task_part.c),
 * and queues the rest again. Waits for memory. */
struct nth_task *nth_task_batch_part(struct nth_member *m, struct nth_task *t);

/* I1 and I2, by the batch's owner between two parts. */
bool nth_task_batch_valid(const struct nth_task *t);

#endif
