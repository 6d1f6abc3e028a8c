/* task_queue.c - omp/queue/task_queue.h, one thread as three members: what is found where
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/brief_fn.h"
#include "tests/unit/unit.h"
#include "tests/unit/whole.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/os.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/taskloop/task_batch.h"
#include "runtime/omp/team/team.h"
#include "runtime/sched/threads/worker.h"

enum { MEMBERS = 3, BIG = 400000 };

static struct nth_team region, *const team = &region;
static struct nth_slot slot[MEMBERS], *slots[MEMBERS];
static struct nth_task_domain domain;
static struct nth_ready *domains = &domain.ready;
static struct nth_member members[MEMBERS];
static struct nth_worker processors[MEMBERS];
static _Atomic(uint32_t) pjv[MEMBERS];
static struct nth_member *member[MEMBERS];
static char argument[BIG];
static struct nth_task *kept[32]; /* those that no pool knows */
static uint32_t big;              /* so many */

static void nothing(void *data) { (void)data; }

/* A region in which all members are; none is docked. */
static void begin(void) {
  make_brief(nothing, true);
  memset(&region, 0, sizeof region);
  memset(slot, 0, sizeof slot);
  memset(&domain, 0, sizeof domain);
  team->size = team->crew.capacity = MEMBERS;
  team->slot = slots;
  team->crew.pjv = pjv;
  for (uint32_t i = 0; i < MEMBERS; i++) {
    struct nth_slot *s = slots[i] = &slot[i];
    struct nth_member *m = member[i] = &members[i];
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
}

/* The newest in member i's deque. */
static struct nth_task *newest(uint32_t i) {
  struct nth_deque *d = &member[i]->now.slot->queue.deque;
  void *item = nth_load_rlx(&d->slot[(nth_load_rlx(&d->head) - 1) % NTH_DEQUE_SLOTS]);
  struct nth_task *t = nth_task_at_item(item);
  if (t->class == NTH_POOL_BIG) {
    unit_check(big < sizeof kept / sizeof *kept);
    kept[big++] = t;
  }
  return t;
}

/* Member i makes a task, which is the newest in its deque then. */
static struct nth_task *make(uint32_t i, size_t size) {
  nth_self = member[i];
  nth_task_create(member[i],
                  &(struct nth_task_args){
                      .fn = nothing, .data = argument, .size = size, .align = 1, .deferred = true});
  return newest(i);
}

/* The same for ten tasks at once. */
static struct nth_task *make_batch(uint32_t i, size_t size) {
  struct nth_task_args a = {
      .fn = nothing, .data = argument, .size = size, .align = 8, .deferred = true};
  struct nth_division ten = {0, 1, 10, 10, 1, 0};
  nth_self = member[i];
  unit_check(nth_task_batch_create(member[i], &a, &ten, 0, false) == 10);
  struct nth_task *t = newest(i);
  unit_check(t->flags & NTH_TASK_BATCH && nth_task_batch_valid(t));
  return t;
}

/* From now on member i runs t. */
static void runs(uint32_t i, struct nth_task *t) {
  nth_self = member[i];
  t->base = nth_deque_base(&member[i]->now.slot->queue.deque);
  nth_store_rlx(&t->runner, member[i]);
  member[i]->now.task = t;
}

static struct nth_task *implicit(uint32_t i) { return &team->slot[i]->implicit; }

static struct nth_task *find(uint32_t i, const struct nth_task *from, enum nth_look look) {
  nth_self = member[i];
  return nth_task_find(member[i], from, look);
}

/* All that is left comes out, and each member is in its implicit task again. */
static uint32_t empty(void) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < MEMBERS; i++)
    member[i]->now.task = implicit(i);
  while (find(0, 0, NTH_LOOK_DEEP))
    n++;
  unit_check(!nth_task_queued(team));
  return n;
}

/* --- what a waiter gets --- */

/* Member 0 waits for the children of `holder`, which others' tasks in member 1's deque lie
 * before. */
static struct nth_task *others_first(uint32_t others, uint32_t children, size_t size) {
  begin();
  struct nth_task *holder = make(0, 8);
  unit_check(find(0, 0, NTH_LOOK_ENDS) == holder);
  runs(0, holder);
  for (uint32_t i = 0; i < others; i++)
    make(1, 8);
  for (uint32_t i = 0; i < children; i++) {
    struct nth_task *t = make(0, size);
    unit_check(find(0, holder, NTH_LOOK_ENDS) == t); /* as by a thief of several */
    unit_check(nth_task_push_own(&team->slot[1]->queue, t));
  }
  return holder;
}

static void behind_others(void) {
  struct nth_task *holder = others_first(5, 2, 8);
  unit_check(!find(0, holder, NTH_LOOK_ENDS) && !find(0, holder, NTH_LOOK_DEEP));
  unit_check(nth_task_hidden(member[0], holder));
  for (int i = 0; i < 2; i++) {
    struct nth_task *t = find(0, holder, NTH_LOOK_ALL);
    unit_check(t && nth_task_parent(t) == holder);
  }
  unit_check(!nth_task_hidden(member[0], holder) && !find(0, holder, NTH_LOOK_ALL));
  unit_check(nth_load_rlx(&team->slot[1]->queue.list.length) == 5); /* moved, not lost */
  unit_check(empty() == 5);
}

/* What cannot be told from afar is looked at from near: arguments too large for a pool, many
 * parents. */
static void big_ones(void) {
  struct nth_task *holder = others_first(2, 1, BIG);
  unit_check(!find(0, holder, NTH_LOOK_DEEP) && nth_task_hidden(member[0], holder));
  unit_check(find(0, holder, NTH_LOOK_ALL) != 0);
  unit_check(empty() == 2);
}

static void far_descendants(void) {
  begin();
  struct nth_task *first = make(1, 8), *last = first;
  unit_check(find(1, 0, NTH_LOOK_ENDS) == first);
  for (uint32_t i = 0; i < 2 * NTH_LATE_STEPS; i++) {
    runs(1, last);
    last = make(1, 8);
    unit_check(find(1, 0, NTH_LOOK_ENDS) == last);
  }
  unit_check(nth_task_push_own(&team->slot[1]->queue, last));
  runs(0, first);
  unit_check(!find(0, first, NTH_LOOK_DEEP));
  unit_check(find(0, first, NTH_LOOK_ALL) == last);
  unit_check(empty() == 0);
}

/* A waiter that needs nothing of it leaves a deque alone. */
static void nothing_moved(void) {
  struct nth_task *holder = others_first(5, 0, 8);
  unit_check(!find(0, holder, NTH_LOOK_ALL) && !nth_task_hidden(member[0], holder));
  unit_check(nth_load_rlx(&team->slot[1]->queue.list.length) == 0);
  unit_check(nth_task_hidden(member[0], 0)); /* for who would take any */
  unit_check(empty() == 5);
}

/* --- batches --- */

/* One is found as any task, by who waits for it, and moved aside by others. */
static void batches(size_t size) {
  begin();
  struct nth_task *holder = make(0, 8);
  unit_check(find(0, 0, NTH_LOOK_ENDS) == holder);
  runs(0, holder);
  struct nth_task *other = make_batch(1, size), *own = make_batch(0, size);
  unit_check(find(0, holder, NTH_LOOK_ENDS) == own); /* as by a thief of several */
  unit_check(nth_task_push_own(&team->slot[1]->queue, own));
  unit_check(!find(0, holder, NTH_LOOK_DEEP) && nth_task_hidden(member[0], holder));
  struct nth_task *t = find(0, holder, NTH_LOOK_ALL);
  unit_check((t ? t : find(0, holder, NTH_LOOK_ALL)) == own); /* a big one is moved at first */
  unit_check(!nth_task_hidden(member[0], holder));
  unit_check(nth_load_rlx(&team->slot[1]->queue.list.length) == 1);
  unit_check(find(1, 0, NTH_LOOK_ENDS) == other && nth_task_batch_valid(other));
  unit_check(empty() == 0);
}
static void batch(void) { batches(16); }
static void big_batch(void) { batches(BIG); }

static bool is_marked(uint32_t i) { return nth_deque_wanted(&team->slot[i]->queue.deque); }

/* Every look in vain leaves its mark first, for who holds a batch just then, and will put it
 * back. */
static void marks(void) {
  for (int look = NTH_LOOK_ENDS; look <= NTH_LOOK_ALL; look++) {
    for (int any = 0; any < 2; any++) {
      begin();
      unit_check(!find(0, any ? 0 : implicit(0), (enum nth_look)look));
      unit_check(!is_marked(0) && is_marked(1) && is_marked(2));
    }
  }
}

/* --- a thief that was interrupted --- */

static void *let_go(void *forcing) {
  usleep(300000);
  nth_store_rel((_Atomic(uint32_t) *)forcing, 0);
  return NULL;
}

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Who waits for what such a one has blocked looks again now and then, and sleeps in between. */
static void blocked(void) {
  static struct nth_worker processor;
  struct nth_task *holder = others_first(2, 2, 8);
  _Atomic(uint32_t) *forcing = &team->slot[1]->queue.deque.forcing;
  pthread_t thread;
  member[0]->proc = &processor;
  nth_store_rlx(forcing, 1);
  unit_check(!find(0, holder, NTH_LOOK_ALL) && nth_task_hidden(member[0], holder));
  unit_check(pthread_create(&thread, NULL, let_go, (void *)forcing) == 0);
  double before = cpu_seconds();
  nth_task_wait(member[0]);
  unit_check(cpu_seconds() - before < 0.05);
  unit_check(nth_tally_left(&holder->children) == 0 && nth_load_rlx(forcing) == 0);
  pthread_join(thread, NULL);
  unit_check(empty() == 2);
}

/* --- late looks --- */

/* A child in member 1's deque whose parent has ended, which may be so when a thief has been
 * interrupted: the parent's memory has gone back to the system. */
static void parent_gone(void) {
  begin();
  struct nth_task *parent = make(1, BIG);
  unit_check(find(1, 0, NTH_LOOK_ENDS) == parent);
  runs(1, parent);
  make(1, 8);
  nth_deque_publish(&team->slot[1]->queue.deque);
  long page = sysconf(_SC_PAGESIZE);
  void *first = (void *)((uintptr_t)parent & ~(uintptr_t)(page - 1));
  unit_check(mprotect(first, 2 * (size_t)page, PROT_NONE) == 0);
  struct nth_task *seen = find(0, implicit(0), NTH_LOOK_ENDS);
  unit_check(mprotect(first, 2 * (size_t)page, PROT_READ | PROT_WRITE) == 0);
  unit_check(!seen);
  unit_check(empty() == 1);
}

/* --- age --- */

/* Whoever steals runs what it got from the oldest to the newest, also what another thief had and
 * what that one has made since. `left`: so many of its eight the first thief has left. */
static void in_order(uint32_t left, uint32_t first, uint32_t last) {
  struct nth_task *made[11];
  begin();
  for (uint32_t i = 0; i < 8; i++)
    made[i] = make(1, i == 7 ? BIG : 8);
  for (uint32_t i = 0; i < 8; i++)
    make(1, 8);
  nth_deque_publish(&team->slot[1]->queue.deque);
  for (uint32_t i = 0; i < 8 - left; i++)
    unit_check(find(0, 0, NTH_LOOK_ENDS) == made[i]);
  for (uint32_t i = 8; i < 11; i++)
    made[i] = make(0, 8);
  nth_deque_publish(&team->slot[0]->queue.deque);
  while (nth_deque_any(&team->slot[1]->queue.deque))
    unit_check(find(1, 0, NTH_LOOK_ENDS) != 0);
  for (uint32_t i = first; i <= last; i++) /* half of them */
    unit_check(find(2, 0, NTH_LOOK_ENDS) == made[i]);
  empty();
}
static void stolen_twice(void) { in_order(6, 3, 7); }
static void stolen_and_made(void) { in_order(2, 6, 8); }

/* What may wait for another task is begun by all members together in the order in which it was
 * made. */
static void one_by_one(void) {
  struct nth_task *made[12];
  begin();
  make_brief(nothing, false);
  for (uint32_t i = 0; i < 12; i++)
    made[i] = make(1, i % 4 == 3 ? BIG : 8);
  for (uint32_t i = 0; i < 12; i++)
    unit_check(find(i % MEMBERS, 0, NTH_LOOK_DEEP) == made[i]);
  unit_check(empty() == 0);
}

/* So is what a member has made itself, and what it has made beside tasks that it has stolen. */
static void own_in_order(void) {
  struct nth_task *made[8];
  begin();
  for (uint32_t i = 0; i < 8; i++)
    made[i] = make(1, 8);
  nth_deque_publish(&team->slot[1]->queue.deque);
  unit_check(find(0, 0, NTH_LOOK_ENDS) == made[0]); /* and three more */
  for (uint32_t i = 4; i < 8; i++)
    unit_check(find(1, 0, NTH_LOOK_ENDS) == made[i]);
  unit_check(find(0, 0, NTH_LOOK_ENDS) == made[1]);
  for (uint32_t i = 4; i < 7; i++)
    made[i] = make(0, 8);
  for (uint32_t i = 2; i < 7; i++)
    unit_check(find(0, 0, NTH_LOOK_ENDS) == made[i]);
  unit_check(empty() == 0);
}

/* --- a barrier's end --- */

/* What a member stole and did not run is found by its own taskwait if it descends from there
 * only. */
static void put_aside(void) {
  begin();
  for (int i = 0; i < 8; i++)
    make(1, 8);
  nth_deque_publish(&team->slot[1]->queue.deque);
  unit_check(find(0, 0, NTH_LOOK_ENDS) != 0); /* takes 4 */
  unit_check(nth_deque_any(&team->slot[0]->queue.deque));
  nth_task_put_aside(member[0]);
  unit_check(!nth_deque_any(&team->slot[0]->queue.deque));
  unit_check(!find(0, implicit(0), NTH_LOOK_ALL));
  struct nth_task *own = make(0, 8);
  unit_check(find(0, implicit(0), NTH_LOOK_ENDS) == own);
  for (int i = 0; i < 7; i++)
    unit_check(find(2, implicit(1), NTH_LOOK_ALL) != 0);
  unit_check(empty() == 0);
}

int main(void) {
  nth_os_begin();
  unit_begin();
  unit_run(behind_others);
  unit_run(big_ones);
  unit_run(far_descendants);
  unit_run(nothing_moved);
  unit_run(batch);
  unit_run(big_batch);
  unit_run(marks);
  unit_run(blocked);
  unit_run(parent_gone);
  unit_run(stolen_twice);
  unit_run(stolen_and_made);
  unit_run(one_by_one);
  unit_run(own_in_order);
  unit_run(put_aside);
  return 0;
}
