/* ready_threads.c - a team's ready queues under many threads: each task comes out once
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"
#include "tests/unit/whole.h"

#include "runtime/base/os.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/queue/task_domain.h"
#include "runtime/omp/team/team.h"

enum { THREADS = 6, EACH = 3000 };

static struct nth_team region, *const team = &region;
static struct nth_slot slot[THREADS], *slots[THREADS];
static struct nth_member member[THREADS];
static struct nth_task task[THREADS][EACH];
static _Atomic(uint32_t) taken[THREADS][EACH], left;

static void begin(const char *tree) {
  unit_check(nth_domains_parse(&nth_domains, &tree));
  team->size = team->crew.capacity = THREADS;
  team->slot = slots;
  for (uint32_t i = 0; i < THREADS; i++) {
    slots[i] = &slot[i];
    member[i].now = (struct nth_member_state){
        .team = team, .slot = &slot[i], .thread_num = i, .team_size = THREADS};
    for (uint32_t k = 0; k < EACH; k++)
      nth_store_rlx(&taken[i][k], 0);
  }
  nth_store_rlx(&left, THREADS * EACH);
  struct nth_layout l = whole_layout(&nth_domains, THREADS);
  nth_task_domains_lay(team, &l, 0);
}

static bool take(uint32_t i) {
  struct nth_task *t = nth_task_domains_urgent(&member[i], 0);
  if (!t)
    t = nth_task_domains_take(&member[i], 0, 0, true);
  if (!t)
    t = nth_task_domains_take(&member[i], 0, 0, false);
  if (!t)
    return false;
  size_t k = (size_t)(t - task[0]);
  nth_add_rlx(&taken[k / EACH][k % EACH], 1);
  nth_sub_rlx(&left, 1);
  return true;
}

/* Puts its tasks into the node of its leaf, or of any on its path, and takes. */
static void work(unsigned i) {
  const struct nth_route *r = &slot[i].route;
  for (uint32_t k = 0; k < EACH; k++) {
    struct nth_task *t = &task[i][k];
    t->priority = k % 3 == 0 ? 0 : k % 700;
    uint32_t node = r->node[k % r->path].begin;
    nth_task_domain_push(nth_task_domain_of(team->ready.node[node]),
                         k % 5 == 0 ? k % NTH_READY_PARTS : slot[i].queue.part, t);
    if (k % 2 == i % 2)
      take(i);
  }
  while (nth_load_rlx(&left) > 0)
    take(i);
}

static void many(const char *tree) {
  begin(tree);
  unit_threads(THREADS, work);
  for (uint32_t i = 0; i < THREADS; i++)
    for (uint32_t k = 0; k < EACH; k++)
      unit_check(nth_load_rlx(&taken[i][k]) == 1);
  unit_check(!nth_task_domains_any(team));
  for (uint32_t k = 0; k < team->ready.nodes; k++)
    unit_check(nth_task_domain_valid(nth_task_domain_of(team->ready.node[k])));
}

static void flat(void) { many("1"); }
static void trees(void) {
  many("2x2");
  many("2x1x2");
}

int main(void) {
  nth_os_begin();
  unit_begin();
  unit_run(flat);
  unit_run(trees);
  return 0;
}
