/* task_pack.h - packs: equal tasks that one task construct makes one after the other
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A loop of `task` constructs makes one task after the other with the same function.
 *             "Introducing Batches of Threads" fills a batch first and queues it then, so that
 *             a descriptor and a queue operation are paid once for N threads. But a task that its
 *             maker keeps back may be the one for which the maker is about to wait. So a pack is
 *             queued with its first task, and grows where it lies.
 * How         A pack is a batch (task_batch.h) whose parts have no place in a loop, only arguments
 *             of their own, side by side. Its maker adds a part while it holds the pack in its
 *             deque (deque.h, hold). That costs a copy of the arguments and four stores. No
 *             descriptor is filled in, and no member is called: the pack was announced when it was
 *             pushed, and it has been where others see it since.
 *             A pack stays open as long as it is the newest item and private, and the construct,
 *             the task that makes the parts, its taskgroup and its ICVs are the same. A hungry
 *             member's mark ends that: the next push publishes all that there is. So an idle
 *             member gets a task as early as without packs; packs grow while all are busy.
 *             A thief takes the pack with one steal: a line or two for all parts, in place of
 *             three for each. It puts the rest into its own deque while it runs a part.
 * When        Only tasks that are known to be brief (queue/brief.h): others may wait for each
 *             other. Only from NTH_PACK_FROM unfinished children on, and from the second task of a
 *             function on: the tasks of a recursion, or a task and its taskwait, are cheaper alone.
 *             Only plain tied tasks: without depend, priority, detach, or copy function, with few
 *             arguments, and where cancellation is off.
 * Use         nth_task_pack() in place of nth_task_defer()
 * Invariants  I1  stage.task is a pack in the member's deque, or stolen. In the latter case the
 *                 deque's word is no longer stage.word. A member that takes a pack out of its own
 *                 deque, to run it or to put it aside, sets stage.task to NULL
 *             I2  an open pack: next = 0, and end = left = loop.parts: the parts in it. No other
 *                 member knows these before it has stolen the pack
 * Orders      those of deque.h: B: the release of a held pack -> the thief that forces it: parts
 * Cost        a part: some 100 instructions to make and 50 to run, in place of 250 and 240 of a
 *             task of its own
 * Tested by   tests/model/task_pack, tests/unit/task_pack.c, tests/lit/tasks/pack*.c
 */
#ifndef NTH_OMP_TASK_PACK_H
#define NTH_OMP_TASK_PACK_H

#include "runtime/omp/member/member.h"
#include "runtime/omp/tasks/task.h"

/* Bytes of a task's arguments up to which it goes into a pack: more are not worth it. */
#define NTH_PACK_ARGS 64u
/* Bytes of a pack, two sizes of the pools: the small one if that has room for LEAST parts. */
#define NTH_PACK_SMALL 512u
#define NTH_PACK_LARGE 1024u
#define NTH_PACK_LEAST 8u

/* nth_task_defer() for a task that may go into a pack. */
void nth_task_pack(struct nth_member *m, void (*fn)(void *), void *data, size_t size, size_t align,
                   uint32_t flags);

/* Whether a new child of m's current task may be one of many. While a pack may be open the
 * children are not counted: thieves write that line. */
static inline bool nth_task_one_of_many(struct nth_member *m) {
  return nth_unlikely(m->now.slot->queue.stage.task != 0 ||
                      nth_tally_left(&m->now.task->children) >= NTH_PACK_FROM);
}

#endif
