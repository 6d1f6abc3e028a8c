/* lrq.c - model of a ready queue and of sleep: each nano-thread is taken once, none slept through
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: runtime/nth/lrq.h, lrq.c and park.h with runtime/struct/deque.h, mutex.h. Processor
 * i is thread i and has queue i.
 */
#include "tests/model/model.h"

#include "runtime/nth/lrq.h"
#include "runtime/nth/park.h"

enum { PROCESSORS = 2, DOMAIN_QUEUE = 2, QUEUES = 3, NANOS = 4 };

static struct world {
  struct nth_lrq q[QUEUES]; /* the last one is their domain's, */
  bool domain;              /* which they look into */
  struct nth_park park[PROCESSORS];
  struct nth_parking all;
  struct nth_desc nano[NANOS];
  int ran[NANOS];         /* plain: by who takes it; twice is a race or wrong */
  _Atomic(uint32_t) left; /* nano-threads that somebody has to run before the sleepers may end */
} w;

static void setup(uint32_t left) {
  for (int i = 0; i < QUEUES; i++) {
    MODEL_ATOM_AT(i, w.q[i].inbox.word);
    MODEL_ATOM_AT(i, w.q[i].inbox_count);
    MODEL_ATOM_AT(i, w.q[i].resumed_count);
    MODEL_ATOM_AT(i, w.q[i].takers.word);
    MODEL_ATOM_AT(i, w.q[i].stock_count);
    MODEL_ATOM_AT(i, w.q[i].deque.head);
    MODEL_ATOM_AT(i, w.q[i].deque.word);
    MODEL_ATOM_AT(i, w.q[i].deque.copied);
    MODEL_ATOM_AT(i, w.q[i].deque.forcing);
    MODEL_ATOM_AT(i, w.q[i].deque.held);
    for (uint32_t j = 0; j < NTH_DEQUE_SLOTS; j++)
      MODEL_ATOM_AT(i, w.q[i].deque.slot[j]);
  }
  for (int i = 0; i < PROCESSORS; i++)
    MODEL_ATOM_AT(i, w.park[i].word);
  MODEL_ATOM(w.all.asleep);
  MODEL_ATOM(w.left);
  for (int i = 0; i < NANOS; i++) {
    MODEL_ATOM_AT(i, w.nano[i].deps.word);
    nth_deps_set(&w.nano[i].deps, NTH_READY, 0);
  }
  MODEL_NAME(w.ran);
  nth_store_rlx(&w.left, left);
}
static void one(void) { setup(1); }
static void two(void) { setup(2); }
static void two_for_all(void) {
  setup(2);
  w.domain = true;
}

static void make_batch(struct nth_batch *b, int from, int to) {
  nth_batch_begin(b, &w.nano[from], &w.nano[to]);
  for (int i = from; i <= to; i++) {
    w.nano[i].next = i < to ? &w.nano[i + 1] : 0;
    nth_batch_add(b, &w.nano[i]);
  }
}
static void put(int from, int to, bool at_end) {
  struct nth_batch b;
  make_batch(&b, from, to);
  nth_lrq_put(&w.q[0], &b, at_end);
}

/* Who runs the last one wakes all, as the end of a machine does. */
static void run(struct nth_desc *d) {
  model_check(nth_deps_is(&d->deps, NTH_READY));
  w.ran[d - w.nano]++;
  if (nth_sub_rlx(&w.left, 1) == 1) {
    nth_deque_fence();
    for (int i = 0; i < PROCESSORS; i++)
      nth_park_wake(&w.all, &w.park[i]);
  }
}

static void wake(uint32_t which) {
  if (!nth_park_any(&w.all))
    return;
  for (uint32_t i = 0; i < PROCESSORS; i++)
    if (nth_park_wake(&w.all, &w.park[(which + i) % PROCESSORS]))
      return;
}

/* --- processors --- */

/* The first of an item; the rest goes into its taker's queue. */
static struct nth_desc *open_item(struct nth_lrq *own, void *item) {
  struct nth_desc *member[NTH_LRQ_TAKE];
  return nth_lrq_keep(own, member, nth_lrq_unpack(item, member));
}

static struct nth_desc *take_from(uint32_t me, uint32_t from, uint32_t most, bool half) {
  struct nth_desc *d[NANOS];
  uint32_t n = nth_lrq_take(&w.q[from], d, most, half);
  if (n == 0)
    return 0;
  struct nth_desc *first = nth_lrq_keep(&w.q[me], d, n);
  wake(me);
  return first;
}

static struct nth_desc *open(uint32_t me, void *item) {
  struct nth_desc *d = open_item(&w.q[me], item);
  if (nth_lrq_is_pack(item))
    wake(me);
  return d;
}

static struct nth_desc *next(uint32_t me) {
  void *item;
  struct nth_desc *d = nth_lrq_resumed(&w.q[me]);
  if (d)
    return d;
  if ((item = nth_lrq_pop(&w.q[me])))
    return open(me, item);
  if ((d = take_from(me, me, 2, false)))
    return d;
  if (w.domain && (d = take_from(me, DOMAIN_QUEUE, 2, true)))
    return d;
  uint32_t other = (me + 1) % PROCESSORS;
  if ((d = take_from(me, other, 2, true)))
    return d;
  if (nth_deque_steal(&w.q[other].deque, &item, 1) == 1 ||
      (nth_deque_force(&w.q[other].deque) && nth_deque_steal(&w.q[other].deque, &item, 1) == 1))
    return open(me, item);
  return 0;
}

static bool anything(uint32_t me) {
  return nth_lrq_may_resume(&w.q[me]) || nth_lrq_seen(&w.q[0]) || nth_lrq_seen(&w.q[1]) ||
         (w.domain && nth_lrq_seen(&w.q[DOMAIN_QUEUE])) || nth_load_rlx(&w.left) == 0;
}

/* Until all have run. */
static void processor(void) {
  uint32_t me = model_thread();
  struct nth_desc *d;
  while (nth_load_rlx(&w.left) != 0) {
    if ((d = next(me))) {
      run(d);
      continue;
    }
    nth_park_enter(&w.all, &w.park[me]);
    if (!anything(me))
      nth_park_sleep(&w.park[me], 0);
    nth_park_leave(&w.all, &w.park[me]);
  }
}

static void finish(void) {
  int ran = 0;
  for (int i = 0; i < NANOS; i++) {
    model_check(w.ran[i] <= 1);
    ran += w.ran[i];
  }
  model_check(ran > 0 && nth_load_rlx(&w.left) == 0 && nth_load_rlx(&w.all.asleep) == 0);
  model_check(nth_lrq_valid(&w.q[0]) && nth_lrq_valid(&w.q[1]));
  model_check(!nth_lrq_seen(&w.q[0]) && !nth_lrq_seen(&w.q[1]));
  model_check(nth_lrq_valid(&w.q[DOMAIN_QUEUE]) && !nth_lrq_seen(&w.q[DOMAIN_QUEUE]));
}

/* --- makers --- */

static void puts_for_all(void) {
  struct nth_batch b;
  make_batch(&b, 0, 1);
  nth_lrq_put(&w.q[DOMAIN_QUEUE], &b, false);
  wake(0);
}
static void puts_one(void) {
  put(0, 0, false);
  wake(0);
}
static void puts_at_end(void) {
  put((int)model_thread(), (int)model_thread(), true);
  wake(0);
}
static void puts_two(void) {
  put(0, 1, false);
  wake(0);
}
static void resumes(void) {
  nth_lrq_resume(&w.q[0], &w.nano[0]);
  if (nth_park_any(&w.all))
    nth_park_wake(&w.all, &w.park[0]);
}

/* --- without sleep: the owner of queue 0 and a thief --- */

static void owner_pushes(void) {
  struct nth_batch b;
  for (int i = 0; i < 3; i++)
    nth_lrq_push(&w.q[0], &w.nano[i]);
  make_batch(&b, 3, 3);
  nth_lrq_push_batch(&w.q[0], &b);
}
static void owner_pushes_packs(void) {
  struct nth_batch b;
  make_batch(&b, 2, 3);
  nth_lrq_push_batch(&w.q[0], &b);
  make_batch(&b, 0, 1);
  nth_lrq_push_batch(&w.q[0], &b);
  struct nth_desc *d = next(0);
  if (d)
    run(d);
}
static void owner_spills_pack(void) {
  struct nth_batch b;
  make_batch(&b, 2, 3);
  nth_lrq_push_batch(&w.q[0], &b);
  nth_lrq_push(&w.q[0], &w.nano[1]);
  nth_lrq_push(&w.q[0], &w.nano[0]);
}
static void owner_pushes_long(void) {
  struct nth_batch b;
  nth_lrq_push(&w.q[0], &w.nano[3]);
  make_batch(&b, 0, 2);
  nth_lrq_push_batch(&w.q[0], &b);
}
static void thief(void) {
  struct nth_desc *d = next(1);
  if (d)
    run(d);
}
static void finish_all(void) {
  struct nth_desc *d;
  void *item;
  model_check(nth_lrq_valid(&w.q[0]) && nth_lrq_valid(&w.q[1]));
  for (uint32_t i = 0; i < PROCESSORS; i++)
    while ((item = nth_lrq_pop(&w.q[i])) ? (d = open_item(&w.q[i], item))
                                         : (d = take_from(i, i, 2, false)))
      run(d);
  for (int i = 0; i < NANOS; i++)
    model_check(w.ran[i] == 1);
}

static void four(void) { setup(4); }

static void pusher(void) {
  nth_lrq_push(&w.q[1], &w.nano[0]);
  wake(1);
}

/* One that has two in its hands: what it does not run is found by who sleeps, or wakes it. */
static void two_queued(void) {
  two();
  struct nth_batch b;
  make_batch(&b, 0, 1);
  nth_lrq_put(&w.q[1], &b, true);
}
/* The same with a pack. */
static void pack_queued(void) {
  two();
  struct nth_batch b;
  make_batch(&b, 0, 1);
  nth_lrq_push_batch(&w.q[1], &b);
}
static void opens_pack(void) {
  void *item = nth_lrq_pop(&w.q[1]);
  if (item)
    run(open(1, item));
}

static void takes_two(void) {
  struct nth_desc *d = take_from(1, 1, 2, false);
  if (d)
    run(d);
}

/* One that leaves something in the lists: the same. */
static void takes_one(void) {
  struct nth_desc *d = take_from(1, 1, 1, false);
  if (d)
    run(d);
}

MODEL_CASES = {
    {"packs", 2, 2, MODEL_WORLD, four, {owner_pushes_packs, thief}, finish_all},
    {"spill_pack", 2, 2, MODEL_WORLD, four, {owner_spills_pack, thief}, finish_all},
    {"long", 2, 2, MODEL_WORLD, four, {owner_pushes_long, thief}, finish_all},
    {"sleep", 2, MODEL_ALL, MODEL_WORLD, one, {processor, puts_one}, finish},
    {"push", 2, 3, MODEL_WORLD, one, {processor, pusher}, finish},
    {"resume", 2, MODEL_ALL, MODEL_WORLD, one, {processor, resumes}, finish},
    {"in_hand", 2, 3, MODEL_WORLD, two_queued, {processor, takes_two}, finish},
    {"left", 2, 3, MODEL_WORLD, two_queued, {processor, takes_one}, finish},
    {"pack", 2, 3, MODEL_WORLD, pack_queued, {processor, opens_pack}, finish},
    {"sleepers", 3, 2, MODEL_WORLD, two, {processor, processor, puts_two}, finish, 20000},
    {"domain", 2, 3, MODEL_WORLD, two_for_all, {processor, puts_for_all}, finish, 8000},
    {"domain_of_two",
     3,
     2,
     MODEL_WORLD,
     two_for_all,
     {processor, processor, puts_for_all},
     finish,
     6000},
    {"makers", 3, 2, MODEL_WORLD, two, {processor, puts_one, puts_at_end}, finish, 60000},
    {"spill", 2, 2, MODEL_WORLD, four, {owner_pushes, thief}, finish_all},
    {0},
};
