/* task_pack.c - packs: equal tasks that one task construct makes one after the other
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/taskloop/task_pack.h"

#include "runtime/base/check.h"
#include "runtime/base/os.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/queue/brief.h"
#include "runtime/omp/taskloop/batch_type.h"
#include "runtime/omp/tasks/task_memory.h"
#include "runtime/omp/tasks/task_run.h"

/* Bytes of a pack before the parts' arguments. */
enum { HEAD = sizeof(struct nth_task) + sizeof(struct nth_task_batch) };

static_assert(sizeof(struct nth_task) % 16 == 0, "the batch lies behind its task");
static_assert(NTH_PACK_ARGS * NTH_PACK_LEAST + HEAD <= NTH_PACK_LARGE, "room for a few parts");

/* Bytes for a pack whose parts have arguments of `size` bytes. */
static inline size_t bytes_for(size_t size) {
  if (size == 0)
    return HEAD;
  return HEAD + size * NTH_PACK_LEAST <= NTH_PACK_SMALL ? NTH_PACK_SMALL : NTH_PACK_LARGE;
}

static inline uint64_t room_for(size_t size) {
  uint64_t n = size == 0 ? NTH_PACK_MOST : (bytes_for(size) - HEAD) / size;
  return n < NTH_PACK_MOST ? n : NTH_PACK_MOST;
}

/* Whether tasks of this construct may go into a pack, and the deque has room for it. */
static bool may_open(struct nth_member *m, size_t size, size_t align) {
  return nth_os_fences_all && !nth_load_rlx(&nth_os_fences_lost) && m->now.team_size > 1 &&
         m->now.icv != &m->now.task->own_icv && size <= NTH_PACK_ARGS && align <= 16 &&
         nth_deque_room(&m->now.slot->queue.deque) > 0;
}

/* Makes a pack of one part. */
static struct nth_task *make(struct nth_member *m, void (*fn)(void *), size_t size,
                             uint32_t flags) {
  struct nth_task *t = nth_task_take(m, bytes_for(size));
  if (nth_unlikely(!t))
    return 0;
  nth_task_leave_frame(m);
  nth_task_init(t, m, fn, flags | NTH_TASK_BATCH);
  t->home = m->now.slot;
  struct nth_task_batch *b = (struct nth_task_batch *)(t + 1);
  t->data = b;
  *b = (struct nth_task_batch){.self = {nth_task_batch_run, nth_task_batch_part},
                               .end = 1,
                               .loop = {.parts = 1},
                               .first = b,
                               .keeper = m->now.slot,
                               .task = t,
                               .size = size,
                               .align = 16,
                               .copies = b->args,
                               .room = room_for(size),
                               .left = 1};
  return t;
}

/* Queues a task as the first part of a pack. False: no memory. */
static bool open_pack(struct nth_member *m, void (*fn)(void *), void *data, size_t size,
                      uint32_t flags) {
  struct nth_task_queue *q = &m->now.slot->queue;
  struct nth_task_stage *s = &q->stage;
  struct nth_task *t = make(m, fn, nth_round_up(size, 16), flags);
  if (nth_unlikely(!t))
    return false;
  nth_task_copy_few(((struct nth_task_batch *)t->data)->args, data, size);
  s->position = nth_deque_base(&q->deque);
  nth_task_submit(m, t, 0);
  nth_assert(nth_deque_base(&q->deque) == s->position + 1);
  s->word = nth_load_rlx(&q->deque.word);
  s->maker = m->now.task;
  s->task = nth_deque_is_private(s->position, s->word) ? t : 0;
  return true;
}

/* The open pack, held, if a task of m's current task can be added. NULL: none is. */
static inline struct nth_task_batch *hold(struct nth_member *m, void (*fn)(void *), size_t size,
                                          uint32_t flags) {
  struct nth_task_queue *q = &m->now.slot->queue;
  struct nth_task_stage *s = &q->stage;
  struct nth_task *t = s->task;
  if (s->fn != fn || !t || s->maker != m->now.task ||
      nth_deque_base(&q->deque) != s->position + 1 || !nth_deque_hold(&q->deque, s->word))
    return 0;
  struct nth_task_batch *b = t->data;
  if (nth_likely(t->made_in == s->maker->group && t->icv == m->now.icv && size <= b->size &&
                 ((t->flags ^ flags) & NTH_TASK_FINAL) == 0 &&
                 ((t->flags & NTH_TASK_GUARDED) != 0) == nth_task_is_guarded(m) &&
                 b->end < b->room))
    return b;
  nth_deque_let_go(&q->deque);
  return 0;
}

/* No open pack takes the task. */
static __attribute__((noinline)) void begin(struct nth_member *m, void (*fn)(void *), void *data,
                                            size_t size, size_t align, uint32_t flags) {
  struct nth_task_stage *s = &m->now.slot->queue.stage;
  bool again =
      s->fn == fn && nth_is_brief(fn) && nth_tally_left(&m->now.task->children) >= NTH_PACK_FROM;
  s->fn = fn;
  s->task = 0;
  s->many = NTH_TASKS_AHEAD - NTH_PACKS_AHEAD;
  if (again && may_open(m, size, align) && open_pack(m, fn, data, size, flags))
    return;
  s->many = 0;
  nth_task_defer(m, fn, data, size, align, flags);
}

void nth_task_pack(struct nth_member *m, void (*fn)(void *), void *data, size_t size, size_t align,
                   uint32_t flags) {
  nth_assert(nth_task_caller_is(m) && fn);
  nth_assert((flags & ~(uint32_t)NTH_TASK_FINAL) == 0);
  struct nth_task_batch *b = hold(m, fn, size, flags);
  if (nth_unlikely(!b)) {
    begin(m, fn, data, size, align, flags);
    return;
  }
  uint64_t n = b->end;
  nth_task_copy_few(b->args + n * b->size, data, size);
  b->end = b->loop.parts = n + 1;
  nth_store_rlx(&b->left, n + 1);
  nth_deque_let_go(&m->now.slot->queue.deque);
}
