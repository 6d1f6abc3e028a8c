/* task_domain.c - omp/queue/task_domain.h, one thread in the part of several members: which queue a
 * task goes to, who takes which first
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"
#include "tests/unit/whole.h"

#include <string.h>

#include "runtime/base/os.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/queue/task_domain.h"
#include "runtime/omp/queue/task_queue.h"
#include "runtime/omp/team/team.h"
#include "runtime/place/domains/tree.h"

enum { MOST = 20, TASKS = 400 };

static struct nth_team region, *const team = &region;
static struct nth_slot slot[MOST], *slots[MOST];
static struct nth_member member[MOST];
static struct nth_worker processor[MOST];
static struct nth_task task[TASKS];
static uint32_t made;

static struct nth_task_domain *domain_at(uint32_t k) {
  return nth_task_domain_of(team->ready.node[k]);
}

/* A region of n members on that tree. */
static void begin(const char *tree, uint32_t n) {
  unit_check(nth_domains_parse(&nth_domains, &tree));
  nth_task_domains_forget(team);
  memset(slot, 0, sizeof slot);
  made = 0;
  nth_env.max_task_priority = INT32_MAX;
  nth_store_rlx(&nth_task_find_asks, true);
  team->size = team->crew.capacity = n;
  team->slot = slots;
  for (uint32_t i = 0; i < n; i++) {
    slots[i] = &slot[i];
    slot[i].implicit.flags = NTH_TASK_IMPLICIT;
    member[i].proc = &processor[i];
    member[i].now = (struct nth_member_state){
        .team = team, .slot = &slot[i], .task = &slot[i].implicit, .thread_num = i, .team_size = n};
  }
  struct nth_layout l = whole_layout(&nth_domains, n);
  nth_task_domains_lay(team, &l, 0);
}

/* A ready task that member i has made, a child of its implicit task. */
static struct nth_task *new_task(uint32_t i, uint32_t priority) {
  struct nth_task *t = &task[made++ % TASKS];
  memset(t, 0, sizeof *t);
  t->team = team;
  t->home = &slot[i];
  t->priority = priority;
  t->class = NTH_POOL_BIG;
  nth_store_rlx(&t->parent, (uintptr_t)&slot[i].implicit);
  return t;
}

static struct nth_task *push(uint32_t i, uint32_t priority) {
  struct nth_task *t = new_task(i, priority);
  unit_check(nth_task_push_own(&slot[i].queue, t));
  return t;
}

static struct nth_task *push_outside(uint32_t i, uint32_t priority) {
  struct nth_task *t = new_task(i, priority);
  nth_task_push_outside(&slot[i].queue, t);
  return t;
}

static struct nth_task *find(uint32_t i, const struct nth_task *from, enum nth_look look) {
  nth_self = &member[i];
  return nth_task_find(&member[i], from, look);
}

static struct nth_task *any(uint32_t i) { return find(i, 0, NTH_LOOK_ENDS); }

static void is_empty(void) {
  unit_check(!any(0) && !nth_task_queued(team) && !nth_task_domains_any(team));
  for (uint32_t k = 0; k < team->ready.made; k++)
    unit_check(nth_task_domain_valid(domain_at(k)) && nth_load_rlx(&domain_at(k)->word) == 0);
}

/* --- priorities --- */

/* The highest of the team first, of equal ones of a member the oldest; before all others. */
static void highest_first(const char *tree, uint32_t n) {
  begin(tree, n);
  struct nth_task *plain = push(0, 0), *low = push(0, 3), *high = push(n - 1, 300),
                  *higher = push(n / 2, 1000), *first = push(0, 7), *second = push(0, 7);
  unit_check(nth_task_queued(team));
  unit_check(any(0) == higher && any(n - 1) == high && any(n / 2) == first);
  unit_check(any(n - 1) == second && any(n / 2) == low && any(0) == plain);
  is_empty();
}

static void highest_everywhere(void) {
  highest_first("1", 3);
  highest_first("8", 12);
  highest_first("2x2", 5);
  highest_first("2x4", 3);
  highest_first("4x2x2", 13);
}

/* Of equal ones the nearest. */
static void nearest_of_equals(void) {
  begin("2x2", 4);
  struct nth_task *far = push(3, 5), *near = push(1, 5), *own = push(0, 5);
  unit_check(any(0) == own && any(0) == near && any(0) == far);
  is_empty();
}

/* What may not start here hides nothing below it: in the same part, in another one, in another
 * domain. */
static void not_these(void) {
  begin("2x2", 4);
  struct nth_task *others[] = {push(1, 9), push(0, 8), push(3, 8)};
  struct nth_task *mine = new_task(0, 2), *higher = new_task(0, 3);
  nth_store_rlx(&mine->parent, (uintptr_t)&slot[2].implicit);
  nth_store_rlx(&higher->parent, (uintptr_t)&slot[2].implicit);
  unit_check(nth_task_push_own(&slot[0].queue, mine) && nth_task_push_own(&slot[1].queue, higher));
  unit_check(find(2, &slot[2].implicit, NTH_LOOK_ENDS) == higher);
  unit_check(find(2, &slot[2].implicit, NTH_LOOK_ENDS) == mine);
  unit_check(!find(2, &slot[2].implicit, NTH_LOOK_ALL));
  unit_check(any(2) == others[0] && any(2) == others[2] && any(2) == others[1]);
  is_empty();
}

/* Bytes of the word from 0 to the highest one, and back. */
static void words(void) {
  static const uint32_t priority[] = {1, 2, 253, 254, 255, 256, 100000, INT32_MAX};
  enum { N = sizeof priority / sizeof priority[0] };
  begin("1", 2 * NTH_READY_PARTS);
  for (uint32_t n = 0; n < N; n++)
    for (uint32_t i = 0; i < 2 * NTH_READY_PARTS; i++) {
      push(i, priority[n]);
      unit_check(nth_task_domain_valid(domain_at(0)));
    }
  for (uint32_t n = N; n-- > 0;)
    for (uint32_t i = 0; i < 2 * NTH_READY_PARTS; i++) {
      struct nth_task *t = any(i);
      unit_check(t && t->priority == priority[n]);
      unit_check(nth_task_domain_valid(domain_at(0)));
    }
  is_empty();
}

/* --- what comes from outside, or is aimed --- */

/* At the leaf of its maker: its neighbours take it before they look at each other, others come
 * last. */
static void from_outside(void) {
  begin("2x2", 4);
  struct nth_task *t = push_outside(0, 0);
  unit_check(nth_task_queued(team) && nth_load_rlx(&domain_at(1)->word) == 1);
  struct nth_task *other = push(0, 0), *far = push(2, 0);
  nth_deque_publish(&slot[0].queue.deque);
  nth_deque_publish(&slot[2].queue.deque);
  unit_check(any(1) == t && any(1) == other && any(1) == far);
  t = push_outside(0, 0);
  far = push(0, 0);
  nth_deque_publish(&slot[0].queue.deque);
  unit_check(any(3) == far && any(3) == t);
  is_empty();
}

/* From leaf to root, then the other ones from near to far. */
static void along_the_path(void) {
  begin("2x2x2", 8); /* 0 (1 (2 3) 4 (5 6)) */
  static const uint32_t order[] = {2, 1, 0, 3, 4, 5, 6};
  struct nth_task *at[7];
  for (uint32_t k = 0; k < 7; k++)
    nth_task_domain_push(domain_at(k), 0, at[k] = new_task(7, 0));
  for (uint32_t i = 0; i < 7; i++)
    unit_check(any(0) == at[order[i]]);
  is_empty();
}

/* A wait for certain tasks finds them behind others, on its path or not. */
static void behind_others(void) {
  begin("2x2", 4);
  for (uint32_t i = 0; i < 4; i++) {
    push_outside(0, 0);
    struct nth_task *t = new_task(0, 0);
    nth_store_rlx(&t->parent, (uintptr_t)&slot[i].implicit);
    nth_task_push_outside(&slot[0].queue, t);
    unit_check(i == 0 || !find(i, &slot[i].implicit, NTH_LOOK_ENDS));
    struct nth_task *found = find(i, &slot[i].implicit, NTH_LOOK_DEEP);
    unit_check(i == 0 ? found != 0 : found == t);
  }
  for (int i = 0; i < 4; i++)
    unit_check(any(3));
  is_empty();
}

/* Outside any team: no domains, but priorities. */
static void no_team(void) {
  static struct nth_member alone;
  begin("2x2", 4);
  alone.now =
      (struct nth_member_state){.slot = &alone.solo, .task = &alone.solo.implicit, .team_size = 1};
  struct nth_task *plain = new_task(0, 0), *high = new_task(0, 2);
  nth_task_push_outside(&alone.solo.queue, plain);
  nth_task_push(&alone.solo.queue, high);
  unit_check(nth_task_find(&alone, 0, NTH_LOOK_ENDS) == high);
  unit_check(nth_task_find(&alone, 0, NTH_LOOK_ENDS) == plain);
  unit_check(!nth_task_find(&alone, 0, NTH_LOOK_ALL));
}

/* --- sizes --- */

/* A team that grows and shrinks keeps its queues' memory, and finds all tasks at each size. */
static void other_sizes(void) {
  static const uint32_t sizes[] = {1, 5, 2, 16, 3, 20, 1, 13};
  struct nth_task_domain *first = 0;
  for (uint32_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
    begin("4x2x2", sizes[n]);
    unit_check(!first || domain_at(0) == first);
    first = domain_at(0);
    for (uint32_t i = 0; i < sizes[n]; i++) {
      push_outside(i, 0);
      push(i, 1 + i % 3);
    }
    for (uint32_t i = 0; i < 2 * sizes[n]; i++)
      unit_check(any(i % sizes[n]));
    is_empty();
  }
}

/* --- pools --- */

static _Atomic(uint32_t) seen;

static void look(void *data) {
  (void)data;
  struct nth_member *m = nth_self;
  unit_check(m->now.team_size == 4 && m->pool.domain == m->now.thread_num / 2);
  nth_add_rlx(&seen, 1);
}

/* A member's pool is that of its leaf. */
static void pools(void) {
  const char *tree = "2x2";
  unit_check(nth_domains_parse(&nth_domains, &tree));
  nth_tree_by_hand();
  nth_self = 0;
  unit_check(nth_team_parallel(look, 0, 4, 0) == 4 && nth_load_rlx(&seen) == 4);
}

int main(void) {
  nth_os_begin();
  nth_env_load();
  unit_begin();
  unit_run(highest_everywhere);
  unit_run(nearest_of_equals);
  unit_run(not_these);
  unit_run(words);
  unit_run(from_outside);
  unit_run(along_the_path);
  unit_run(behind_others);
  unit_run(no_team);
  unit_run(other_sizes);
  unit_run(pools);
  return 0;
}
