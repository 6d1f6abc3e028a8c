/* task_batch.c - batches: many tasks of one construct in one descriptor
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/taskloop/task_batch.h"

#include <string.h>

#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/count.h"
#include "runtime/base/os.h"
#include "runtime/omp/member/cancelled.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/queue/brief.h"
#include "runtime/omp/queue/help.h"
#include "runtime/omp/taskloop/batch_type.h"
#include "runtime/omp/tasks/task_finish.h"
#include "runtime/omp/tasks/task_memory.h"
#include "runtime/omp/tasks/task_run.h"
#include "runtime/omp/types/generation.h"

/* Nearly all arguments have at most that many bytes, and are copied whole, without a look at their
 * size. */
enum { FEW = sizeof(struct nth_bounds) + 64 };

static inline size_t args_room(size_t size) { return size <= FEW ? FEW : size; }

static inline void copy_args(void *to, const void *from, size_t size) {
  char *rest = (char *)to + sizeof(struct nth_bounds);
  const char *source = (const char *)from + sizeof(struct nth_bounds);
  if (size > FEW)
    memcpy(rest, source, size - sizeof(struct nth_bounds));
  else if (size > sizeof(struct nth_bounds))
    memcpy(rest, source, FEW - sizeof(struct nth_bounds));
}

bool nth_task_batch_valid(const struct nth_task *t) {
  const struct nth_task_batch *b = t->data;
  const struct nth_task_batch *first = b->first;
  return t->flags & NTH_TASK_BATCH && b->task == t && b->next < b->end && b->end <= b->loop.parts &&
         b->end - b->next <= nth_load_rlx(&first->left) && first->first == first &&
         (nth_batch_is_pack(b) || b->size >= sizeof(struct nth_bounds)) &&
         b->copies == first->copies && (!b->copies || b->copies_from <= b->next);
}

/* --- make, split --- */

struct nth_task *nth_task_batch_like(struct nth_member *m, const struct nth_task *from, size_t size,
                                     size_t align, bool must) {
  nth_assert(from->flags & NTH_TASK_BATCH && nth_task_caller_is(m));
  size_t bytes = sizeof(struct nth_task) + size + align;
  struct nth_task *t = must ? nth_task_take_must(bytes) : nth_task_take(m, bytes);
  if (nth_unlikely(!t))
    return 0;
  uint8_t class = t->class;
  /* All fields but the first, at which thieves that come too late may look. */
  size_t rest = offsetof(struct nth_task, group);
  memcpy((char *)t + rest, (const char *)from + rest, sizeof *t - rest);
  nth_store_rlx(&t->parent, nth_load_rlx(&from->parent));
  nth_tally_clear(&t->children);
  nth_store_rlx(&t->runner, NULL);
  nth_store_rlx(&t->refs, 1);
  t->class = class;
  t->nested = 0;
  t->data = (void *)nth_round_up((uintptr_t)(t + 1), align);
  if (from->icv == &from->own_icv)
    t->icv = &t->own_icv;
  return t;
}

/* From what make() fills a batch: the batch is the argument of a task. */
struct source {
  const struct nth_task_args *args;
  const struct nth_division *loop;
  uint64_t next, end;
};

static void make(void *to, void *from) {
  const struct source *s = from;
  const struct nth_task_args *a = s->args;
  nth_assert(s->next < s->end && a->size >= sizeof(struct nth_bounds));
  struct nth_task_batch *b = to;
  *b = (struct nth_task_batch){.self = {nth_task_batch_run, nth_task_batch_part},
                               .next = s->next,
                               .end = s->end,
                               .loop = *s->loop,
                               .first = b,
                               .size = a->size,
                               .align = nth_task_align(a->align),
                               .copies_from = s->next};
  nth_store_rlx(&b->left, s->end - s->next);
  if (!a->copy) {
    memcpy(b->args, a->data, b->size);
    return;
  }
  b->size = nth_round_up(b->size, b->align);
  b->copies = (char *)nth_round_up((uintptr_t)b->args, b->align);
  for (uint64_t i = 0; i < s->end - s->next; i++)
    a->copy(b->copies + i * b->size, a->data);
}

/* Makes the batch of parts next .. *end - 1, not queued. NULL: as nth_task_batch_create(). */
static struct nth_task *make_first(struct nth_member *m, const struct nth_task_args *a,
                                   const struct nth_division *d, uint64_t next, uint64_t *end) {
  struct source s = {a, d, next, d->parts};
  nth_assert(next < d->parts && a->priority == 0 && !a->depend && !a->event);
  size_t room = args_room(a->size);
  if (a->copy) { /* as many as a pool has room for */
    size_t size = nth_round_up(a->size, nth_task_align(a->align));
    size_t head =
        sizeof(struct nth_task) + 16 + sizeof(struct nth_task_batch) + nth_task_align(a->align);
    uint64_t most = head < nth_pool_bytes[NTH_POOL_BIG - 1]
                        ? (nth_pool_bytes[NTH_POOL_BIG - 1] - head) / size
                        : 0;
    s.end = s.end - next < most ? s.end : next + most;
    room = nth_task_align(a->align) + (s.end - next) * size;
  }
  if (s.end - next < 2)
    return 0;
  struct nth_task_args batch = {.fn = a->fn,
                                .data = &s,
                                .copy = make,
                                .align = 16,
                                .size = sizeof(struct nth_task_batch) + room,
                                .flags = a->flags | NTH_TASK_BATCH};
  struct nth_task *t = nth_task_make_anyway(m, &batch);
  if (!t)
    return 0;
  struct nth_task_batch *b = t->data;
  if (!a->copy)
    t->flags &= ~(uint32_t)NTH_TASK_CONSTRUCTED;
  b->task = t;
  b->keeper = m->now.slot;
  *end = s.end;
  return t;
}

/* Splits off the farther half of the parts as another batch. NULL: no memory. */
static struct nth_task *split(struct nth_member *m, struct nth_task_batch *b) {
  size_t args = b->copies ? 0 : args_room(b->size);
  nth_assert(nth_task_batch_valid(b->task) && b->end - b->next > 1);
  struct nth_task *t = nth_task_batch_like(m, b->task, sizeof *b + args, 16, false);
  if (!t)
    return 0;
  struct nth_task_batch *far = t->data;
  uint64_t middle = b->next + (b->end - b->next + 1) / 2;
  *far = (struct nth_task_batch){.self = b->self,
                                 .next = middle,
                                 .end = b->end,
                                 .loop = b->loop,
                                 .first = b->first,
                                 .keeper = b->keeper,
                                 .task = t,
                                 .size = b->size,
                                 .align = b->align,
                                 .copies = b->copies,
                                 .copies_from = b->copies_from};
  if (args)
    memcpy(far->args, b->args, b->size);
  b->end = middle;
  nth_assert_valid(nth_task_batch_valid(t) && nth_task_batch_valid(b->task));
  return t;
}

/* The domain for half of a batch: the lowest in which a member may be idle. NULL: none is. */
static struct nth_task_domain *where_idle(const struct nth_member *m,
                                          const struct nth_slot *hungry) {
  return m->now.team_size > 1 ? nth_task_domain_idle(m->now.team, m->now.slot, hungry) : 0;
}

uint64_t nth_task_batch_create(struct nth_member *m, const struct nth_task_args *a,
                               const struct nth_division *d, uint64_t next, bool goes_on) {
  uint64_t end;
  uint32_t generation = nth_fork_generation;
  nth_assert(nth_task_caller_is(m));
  struct nth_task *t = make_first(m, a, d, next, &end), *far = 0;
  if (!t)
    return 0;
  struct nth_task_domain *to = goes_on ? where_idle(m, 0) : 0;
  if (to)
    far = split(m, t->data);
  nth_task_submit(m, t, 0);
  if (far && generation == nth_fork_generation) { /* the first batch waits for it */
    nth_task_domain_push(to, m->now.slot->queue.part, far);
    nth_team_call_help(m, m->now.team);
  }
  return end - next;
}

/* --- run --- */

/* A member at work on a batch. */
struct run {
  struct nth_member *m;
  struct nth_task_batch *batch;
  struct nth_task *part;   /* the task in whose descriptor parts run */
  struct nth_bounds *args; /* their arguments */
  uint64_t done;           /* parts it has run */
  uint64_t look;           /* number of parts after which it calls for help without a mark */
  uint32_t position;       /* of the batch in the deque */
  uint32_t generation;     /* of fork(), at the beginning */
  struct nth_slot *robbed; /* whose batch it was, with half of it still to be offered; NULL: none */
  bool pack;               /* the batch is a pack */
  bool held;               /* the batch is in no queue, and no other member has it */
  bool quiet;    /* it was put at `position`, and no other member looked at the deque, whose */
  uint64_t word; /* word was this */
};

/* Calls a member: some of the batch, or of the place where it was found, may still lie there. */
static void call_help(struct run *r) {
  if (r->pack)
    r->look = UINT64_MAX;
  else if (r->done >= r->look)
    r->look = r->done + (r->done < NTH_BATCH_LOOKS ? r->done + 1 : NTH_BATCH_LOOKS);
  nth_fence_full(); /* S */
  nth_team_call_any_help(r->m, r->m->now.team);
}

/* Puts the batch back. If a member is hungry, the farther half of it goes to a domain. False: the
 * deque is full. */
static bool put_back(struct run *r, bool hungry) {
  struct nth_task_batch *b = r->batch;
  struct nth_task_queue *q = &r->m->now.slot->queue;
  nth_assert(r->held && nth_task_batch_valid(b->task));
  if (nth_deque_room(&q->deque) == 0)
    return false;
  struct nth_task_domain *to = hungry && !nth_batch_is_pack(b) && b->end - b->next > 1
                                   ? where_idle(r->m, r->robbed ? r->robbed : r->m->now.slot)
                                   : 0;
  struct nth_task *far = to ? split(r->m, b) : 0;
  if (far)
    nth_task_domain_push(to, q->part, far);
  r->position = nth_deque_base(&q->deque);
  nth_deque_put(&q->deque, r->position, nth_task_item(b->task));
  if (hungry || nth_unlikely(nth_load_rlx(&nth_os_fences_lost)))
    nth_deque_publish(&q->deque); /* without force a thief has no other way to it */
  return true;
}

/* Whether the batch, which was put back, could be taken out of the deque again. */
static bool take_back(struct run *r, struct nth_deque *d) {
  nth_assert(nth_task_caller_is(r->m));
  if (nth_deque_base(d) != r->position + 1) /* what a part has left lies above it */
    return false;
  const void *item = nth_deque_pop_at(d, r->position, &r->word);
  nth_assert(!item || item == nth_task_item(r->batch->task));
  return item != 0;
}

/* Leaves the batch where others find it, while a part runs. False: it is still held. */
static bool offer(struct run *r) {
  struct nth_deque *d = &r->m->now.slot->queue.deque;
  bool hungry = r->robbed || nth_deque_wanted(d), put = put_back(r, hungry);
  nth_fence_light(); /* S */
  if (put && !hungry && nth_deque_wanted(d)) {
    hungry = true;
    put = !take_back(r, d) || put_back(r, hungry);
  }
  if (put && (hungry || r->done >= r->look)) {
    call_help(r);
    r->robbed = 0;
  }
  return put;
}

static inline struct nth_bounds *args_of(const struct run *r, uint64_t i) {
  const struct nth_task_batch *b = r->batch;
  nth_assert(i < b->loop.parts && (!b->copies || i >= b->copies_from));
  return b->copies ? (struct nth_bounds *)(b->copies + (i - b->copies_from) * b->size) : r->args;
}

/* Runs the next part, whatever it is. */
static void run_one(struct run *r) {
  struct nth_task_batch *b = r->batch;
  struct nth_deque *d = &r->m->now.slot->queue.deque;
  void (*fn)(void *) = b->task->fn;
  nth_assert(r->held && b->next < b->end);
  nth_assert(!(r->part->flags & NTH_TASK_CHANGED));
  uint64_t i = b->next++;
  struct nth_bounds *args = args_of(r, i);
  if (!b->copies)
    copy_args(args, b->args, b->size);
  if (!nth_batch_is_pack(b))
    *args = nth_division_bounds(&b->loop, i);
  bool put = b->next != b->end && offer(r);
  if (nth_unlikely(r->robbed)) { /* it was the last part, or the deque is full */
    call_help(r);
    r->robbed = 0;
  }
  r->part->base = nth_deque_base(d);
  fn(args);
  r->done++;
  r->held = put ? take_back(r, d) : r->generation == nth_fork_generation;
  r->quiet = put && r->held && nth_deque_is_private(r->position, r->word);
}

/* Up to which part all have one size, none is the last, and none needs a look around. */
static uint64_t stretch_end(const struct run *r) {
  const struct nth_task_batch *b = r->batch;
  uint64_t end = b->end - 1;
  if (!r->quiet || r->done >= r->look || nth_env.cancellation || !nth_os_fences_all ||
      nth_load_rlx(&nth_os_fences_lost) || nth_permits_limited())
    return b->next;
  if (nth_batch_is_pack(b))
    return end;
  if (b->next < b->loop.longer && end > b->loop.longer)
    end = b->loop.longer;
  return end - b->next > r->look - r->done ? b->next + (r->look - r->done) : end;
}

/* The batch that lay at the newest position could not be kept: others may have it. */
static void lose(struct run *r, struct nth_deque *d, uint32_t position) {
  r->held = nth_deque_base(d) == position + 1 && nth_deque_pop_at(d, position, &r->word) != 0;
  r->quiet = false;
}

/* Like run_one(), for parts up to `end`, as long as nothing comes in between. A fork() does: in the
 * child the deque is empty. */
static inline __attribute__((always_inline)) void stretch(struct run *r, uint64_t end,
                                                          bool placed) {
  struct nth_task_batch *b = r->batch;
  struct nth_deque *d = &r->m->now.slot->queue.deque;
  struct nth_task *part = r->part;
  struct nth_bounds *args = args_of(r, b->next);
  size_t size = b->copies ? 0 : b->size, distance = b->copies ? b->size : 0;
  uint32_t position = r->position;
  nth_assert(r->held && r->quiet && nth_deque_base(d) == position);
  nth_assert(b->next < end && end < b->end);
  void (*fn)(void *) = b->task->fn;
  uint64_t first = b->next, next = first, at = nth_division_at(&b->loop, first), word = r->word;
  uint64_t stride = nth_division_at(&b->loop, first + 1) - at;
  nth_deque_put(d, position, nth_task_item(b->task));
  if (nth_unlikely(!nth_deque_hold(d, word))) {
    lose(r, d, position);
    return;
  }
  for (;;) {
    if (placed) {
      copy_args(args, b->args, size);
      args->from = at;
      args->to = at += stride;
    }
    b->next = next + 1;
    nth_deque_let_go(d);
    nth_fence_light(); /* S */
    if (nth_unlikely(nth_load_rlx(&d->word) != word) && take_back(r, d)) {
      b->next = next; /* not this one yet */
      r->quiet = false;
      break;
    }
    next++;
    fn(args);
    args = (struct nth_bounds *)((char *)args + distance);
    if (nth_unlikely(nth_deque_base(d) != position + 1 || !nth_deque_hold(d, word))) {
      lose(r, d, position);
      break;
    }
    if (part->flags & NTH_TASK_CHANGED || next == end || nth_permits_limited()) {
      nth_deque_pop_held(d, position);
      break;
    }
  }
  r->done += next - first;
}

static void run_stretch(struct run *r, uint64_t end) {
  if (nth_batch_is_pack(r->batch))
    stretch(r, end, false);
  else
    stretch(r, end, true);
}

/* Fewer processors are asked for: leaves the rest of the batch where any member finds it. False:
 * the deque is full. */
static bool leave_rest(struct run *r) {
  nth_assert(r->held && r->batch->next != r->batch->end);
  if (!put_back(r, true))
    return false;
  r->held = false;
  call_help(r);
  return true;
}

/* The function of a part's descriptor: runs parts as long as they leave the descriptor unchanged,
 * and no safe point is due. */
static void run_parts(void *state) {
  struct run *r = state;
  struct nth_task_batch *b = r->batch;
  do {
    uint64_t end = stretch_end(r);
    if (end == b->next)
      run_one(r);
    else
      run_stretch(r, end);
  } while (r->held && !(r->part->flags & NTH_TASK_CHANGED) && b->next != b->end &&
           !nth_cancelled_discards(b->task) && !nth_permits_limited());
}

/* Makes a descriptor for parts. */
static struct nth_task *make_part(struct run *r) {
  struct nth_task_batch *b = r->batch;
  struct nth_task *t =
      nth_task_batch_like(r->m, b->task, b->copies ? 0 : args_room(b->size), b->align, true);
  r->args = t->data;
  t->flags = (t->flags & ~(uint32_t)NTH_TASK_BATCH) | NTH_TASK_PART | NTH_TASK_FRAME;
  t->nested = b->task->nested;
  t->fn = run_parts;
  t->data = r;
  r->part = t;
  r->quiet = false; /* its base is not known yet */
  return t;
}

void nth_task_batch_report(struct nth_task_batch *first, uint64_t n) {
  nth_count_add(NTH_COUNT_BATCHED, n);
  nth_assert(n > 0 && n <= nth_load_rlx(&first->left)); /* I2 */
  if (nth_sub_acqrel(&first->left, n) == n) {           /* P */
    nth_count(NTH_COUNT_BATCHES);
    nth_task_finish(first->task);
  }
}

void nth_task_batch_run(struct nth_member *m, struct nth_task *t) {
  struct nth_task_batch *b = t->data, *first = b->first;
  nth_assert(nth_task_caller_is(m));
  nth_assert(nth_task_batch_valid(t));
  struct nth_slot *mine = m->now.slot;
  struct run r = {.m = m,
                  .batch = b,
                  .robbed = b->keeper != mine ? b->keeper : 0,
                  .pack = nth_batch_is_pack(b),
                  .held = true,
                  .position = nth_deque_base(&mine->queue.deque),
                  .generation = nth_fork_generation};
  bool robbed = r.robbed, left = false;
  if (nth_batch_is_pack(b)) {
    mine->queue.stage.task = 0;
    mine->queue.stage.many = 0;
    r.robbed = 0;
  }
  b->keeper = mine;
  if (robbed)
    t->nested = 0; /* it lay deep on another member's stack */
  uint64_t since = r.pack && robbed ? nth_clock_ns() : 0;
  void (*fn)(void *) = t->fn;
  while (r.held && b->next != b->end && !nth_cancelled_discards(t)) {
    struct nth_task *part = make_part(&r);
    nth_task_call(m, part);
    if (nth_unlikely(r.generation != nth_fork_generation))
      return; /* forked in there: the parent process finishes it */
    nth_task_leave(part);
    if (nth_permits_limited() && r.held && b->next != b->end && !nth_cancelled_discards(t))
      left = leave_rest(&r);
  }
  if (r.held) {
    r.done += b->end - b->next; /* cancelled */
    if (b != first)
      nth_pool_give(&m->pool, t, t->class);
  }
  if (since != 0 && r.done > 0)
    nth_brief_judge(fn, r.done, nth_clock_ns() - since);
  nth_task_batch_report(first, r.done);
  if (left)
    nth_task_pass(m);
}
