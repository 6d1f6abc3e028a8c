/* task_pack.c - omp/taskloop/task_pack.h: what goes into a pack, and what ends one
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/brief_fn.h"
#include "tests/unit/unit.h"
#include "tests/unit/whole.h"

#include <string.h>

#include "runtime/base/os.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/taskloop/batch_type.h"
#include "runtime/omp/taskloop/task_pack.h"
#include "runtime/omp/tasks/task_run.h"
#include "runtime/omp/team/team.h"
#include "runtime/sched/threads/worker.h"

enum { MEMBERS = 2, MOST = 200 };

static struct nth_team region, *const team = &region;
static struct nth_slot slot[MEMBERS], *slots[MEMBERS];
static struct nth_task_domain domain;
static struct nth_ready *domains = &domain.ready;
static struct nth_member members[MEMBERS], *const maker = &members[0];
static struct nth_worker processors[MEMBERS];
static _Atomic(uint32_t) pjv[MEMBERS];
static uint32_t made;
static int ran[MOST];

static void count(void *data) { ran[*(uint32_t *)data]++; }
static void count_too(void *data) { count(data); }

/* A region in which all members are; none is docked. */
static void begin(void) {
  memset(&region, 0, sizeof region);
  memset(slot, 0, sizeof slot);
  memset(&domain, 0, sizeof domain);
  memset(ran, 0, sizeof ran);
  made = 0;
  team->size = team->crew.capacity = MEMBERS;
  team->slot = slots;
  team->crew.pjv = pjv;
  for (uint32_t i = 0; i < MEMBERS; i++) {
    struct nth_slot *s = slots[i] = &slot[i];
    struct nth_member *m = &members[i];
    m->proc = &processors[i];
    s->implicit.flags = NTH_TASK_IMPLICIT;
    nth_store_rlx(&pjv[i], 1);
    if (m->now.team_size == 0)
      nth_pool_init(&m->pool, NTH_POOL_HIER, 0);
    m->now = (struct nth_member_state){.team = team,
                                       .slot = s,
                                       .task = &s->implicit,
                                       .icv = &nth_env.initial,
                                       .thread_num = i,
                                       .team_size = MEMBERS};
  }
  team->ready.node = &domains;
  team->ready.made = 1;
  struct nth_layout l = whole_layout(&nth_domains_one, MEMBERS);
  nth_task_domains_lay(team, &l, 0);
  for (uint32_t i = 0; i < NTH_PACK_FROM;
       i++) /* stand-ins: with fewer children there are no packs */
    nth_tally_add_own(&slot[0].implicit.children);
  nth_self = maker;
  make_brief(count, true);
  make_brief(count_too, true);
}

static uint32_t children(void) {
  return (uint32_t)nth_tally_left(&slot[0].implicit.children) - NTH_PACK_FROM;
}

struct large {
  uint32_t number;
  char rest[NTH_PACK_ARGS + 8];
};

/* The next task, with `size` bytes of arguments. */
static void make(void (*fn)(void *), size_t size) {
  struct large args = {.number = made++};
  unit_check(size >= sizeof args.number && size <= sizeof args);
  nth_task_pack(maker, fn, &args, size, 8, 0);
}

static void make_many(uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    make(count, 8);
}

static uint32_t items(void) {
  const struct nth_deque *d = &slot[0].queue.deque;
  return nth_load_rlx(&d->head) - (uint32_t)nth_load_rlx(&d->word);
}

/* The parts in the i-th item from the newest; 0: it is a task of its own. */
static uint64_t parts(uint32_t i) {
  const struct nth_deque *d = &slot[0].queue.deque;
  struct nth_task *t =
      nth_task_at_item(nth_load_rlx(&d->slot[(nth_load_rlx(&d->head) - 1 - i) % NTH_DEQUE_SLOTS]));
  if (!(t->flags & NTH_TASK_BATCH))
    return 0;
  unit_check(nth_task_batch_valid(t));
  return ((struct nth_task_batch *)t->data)->end;
}

static void run_all(uint32_t i) {
  nth_self = &members[i];
  while (nth_task_run_one(&members[i], 0, NTH_LOOK_DEEP, 0)) {}
  nth_self = maker;
}

/* All tasks run, by that member. */
static void end(uint32_t i) {
  run_all(i);
  for (uint32_t k = 0; k < made; k++)
    unit_check(ran[k] == 1);
  unit_check(!nth_task_queued(team) && children() == 0);
  unit_check(!nth_tasks_left(team, 0));
}

static void grows(void) {
  for (uint32_t by = 0; by < MEMBERS; by++) {
    begin();
    make_many(1);
    unit_check(items() == 1 && parts(0) == 0); /* it may be the only one */
    for (uint64_t n = 1; n <= NTH_PACK_LEAST; n++) {
      make_many(1);
      unit_check(items() == 2 && parts(0) == n);
    }
    unit_check(children() == 2);
    make_many(2 * NTH_PACK_MOST);
    unit_check(items() > 2 && parts(1) >= NTH_PACK_LEAST && parts(1) <= NTH_PACK_MOST);
    end(by);
  }
}

static void sizes(void) {
  for (size_t size = 4; size <= NTH_PACK_ARGS + 8; size += 4) {
    begin();
    for (uint32_t i = 0; i < 60; i++)
      make(count, size);
    unit_check((parts(1) != 0) == (size <= NTH_PACK_ARGS));
    unit_check(parts(1) == 0 || parts(1) >= NTH_PACK_LEAST);
    end(0);
  }
}

/* Tasks that may wait for each other are not packed. */
static void not_brief(void) {
  begin();
  make_brief(count, false);
  make_many(10);
  unit_check(items() == 10 && parts(0) == 0);
  end(1);
}

static void other_function(void) {
  begin();
  for (uint32_t i = 0; i < 10; i++)
    make(i % 2 ? count : count_too, 8);
  unit_check(items() == 10 && parts(0) == 0);
  make(count, 8);
  make(count, 8);
  unit_check(parts(0) == 2);
  end(0);
}

static void other_surroundings(void) {
  struct nth_icv icv = nth_env.initial;
  begin();
  make_many(3);
  unit_check(items() == 2 && parts(0) == 2);
  maker->now.icv = &icv;
  make_many(2);
  unit_check(items() == 3 && parts(0) == 2);
  maker->now.icv = &nth_env.initial;
  nth_task_pack(maker, count, &(uint32_t){made++}, 4, 4, NTH_TASK_FINAL);
  unit_check(items() == 4 && parts(0) == 1);
  make_many(1);
  unit_check(items() == 5 && parts(0) == 1);
  end(1);
}

/* A task that comes in between hides the pack. */
static void hidden(void) {
  begin();
  make_many(3);
  nth_task_defer(maker, count, &(uint32_t){made++}, 4, 4, 0);
  make_many(1);
  unit_check(items() == 4 && parts(0) == 1 && parts(2) == 2);
  end(0);
}

/* A hungry member's mark and a theft end a pack. */
static void ended_by_thief(void) {
  begin();
  struct nth_deque *d = &slot[0].queue.deque;
  void *item;
  unit_check(nth_deque_steal(d, &item, 1) == 0 && nth_deque_wanted(d));
  make_many(2); /* published one by one */
  unit_check(!nth_deque_wanted(d) && !slot[0].queue.stage.task == !parts(0));
  make_many(3);
  uint64_t before = parts(0);
  unit_check(before > 1 && nth_deque_hold(d, slot[0].queue.stage.word));
  unit_check(nth_deque_force(d) || items() == 1); /* the held one stays */
  nth_deque_let_go(d);
  end(1);
}

/* The maker runs its pack, or puts it aside. */
static void ended_by_maker(void) {
  begin();
  make_many(3);
  unit_check(items() == 2 && parts(0) == 2 && slot[0].queue.stage.task);
  run_all(0);
  unit_check(!slot[0].queue.stage.task);
  nth_task_defer(maker, count_too, &(uint32_t){made++}, 4, 4, 0);
  make_many(1);
  unit_check(items() == 2 && parts(0) == 1);
  nth_task_put_aside(maker);
  unit_check(items() == 0 && !slot[0].queue.stage.task);
  nth_task_defer(maker, count_too, &(uint32_t){made++}, 4, 4, 0);
  make_many(1);
  unit_check(items() == 2 && parts(0) == 1);
  end(0);
}

int main(void) {
  nth_os_begin();
  unit_begin();
  unit_run(grows);
  unit_run(sizes);
  unit_run(not_brief);
  unit_run(other_function);
  unit_run(other_surroundings);
  unit_run(hidden);
  unit_run(ended_by_thief);
  unit_run(ended_by_maker);
  return 0;
}
