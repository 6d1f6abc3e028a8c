/* team_size.c - how many members a region gets, and what it owes for that at its end
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/team/team_size.h"

#include "runtime/base/clock.h"
#include "runtime/base/count.h"
#include "runtime/base/msg.h"
#include "runtime/omp/tasks/task_run.h"
#include "runtime/omp/team/region_price.h"
#include "runtime/omp/team/team.h"
#include "runtime/place/places/allowed.h"

/* --- the contention group --- */

/* thread-limit-var bounds the threads of a contention group (OpenMP 5.2, section 2.4), which begins
 * with the outermost team around. That team counts the threads that nested regions have added. Each
 * nested region takes its share before it forks, and gives it back at its join. */
static struct nth_team *contention_group(struct nth_team *t) {
  while (t && t->parent)
    t = t->parent;
  return t;
}

static uint32_t take_threads(struct nth_member *m, uint32_t n, uint32_t limit) {
  struct nth_team *group = contention_group(m->now.team);
  if (!group)
    return n < limit ? n : limit;
  uint32_t nested = nth_load_rlx(&group->nested), extra;
  do {
    uint32_t used = group->size + nested;
    extra = limit > used ? limit - used : 0;
    extra = n - 1 < extra ? n - 1 : extra;
  } while (extra && !nth_cas_rlx(&group->nested, &nested, nested + extra));
  m->due |= extra;
  return 1 + extra;
}

static void give_threads(struct nth_team *t, uint32_t taken) {
  nth_assert(t->parent && nth_load_rlx(&contention_group(t->parent)->nested) >= taken);
  nth_sub_rlx(&contention_group(t->parent)->nested, taken);
}

/* --- the size --- */

/* dyn-var is true: as many as there are CPUs, or fewer if that is faster. */
static uint32_t fewer(struct nth_member *m, uint32_t n, void (*site)(void *)) {
  uint32_t cpus = nth_allowed_cpus();
  n = n < cpus ? n : cpus;
  if (n == 1 || !nth_env.price)
    return n;
  m->due = NTH_DUE_PRICE;
  uint32_t size = nth_region_price_members((uintptr_t)site, n, nth_clock_ns(), &m->priced);
  if (size < n)
    nth_count(NTH_COUNT_FEWER);
  return size;
}

/* Apart, so that a fork that nothing limits keeps nothing for it. */
__attribute__((noinline)) static uint32_t limit(struct nth_member *m, uint32_t n,
                                                void (*site)(void *)) {
  const struct nth_icv *icv = m->now.icv;
  nth_assert(m->due == 0); /* the last fork took it along */
  if (icv->dynamic)
    n = fewer(m, n, site);
  if (n > NTH_MAX_TEAM && icv->thread_limit > NTH_MAX_TEAM) {
    static _Atomic(bool) said;
    if (!atomic_exchange_explicit(&said, true, memory_order_relaxed))
      nth_msg("%u threads asked for; a team has at most %u, so that many are used", n,
              NTH_MAX_TEAM);
  }
  n = n < NTH_MAX_TEAM ? n : NTH_MAX_TEAM;
  if (icv->thread_limit != UINT32_MAX)
    n = take_threads(m, n, icv->thread_limit);
  nth_assert(n > 0 && n <= NTH_MAX_TEAM);
  return n;
}

uint32_t nth_team_choose(struct nth_member *m, uint32_t clause, void (*site)(void *)) {
  if (nth_unlikely(m->now.team != 0))
    nth_task_before_region(m);
  else if (nth_unlikely(m->outside))
    nth_task_run_outside(m);
  const struct nth_icv *icv = m->now.icv;
  if (clause == 1 || m->now.active_level >= icv->max_active_levels)
    return 1;
  uint32_t n = clause ? clause : icv->nthreads;
  if (n == 0)
    n = nth_allowed_team();
  if (nth_unlikely(icv->dynamic || icv->thread_limit != UINT32_MAX || n > NTH_MAX_TEAM))
    return limit(m, n, site);
  nth_assert(n > 0 && n <= NTH_MAX_TEAM);
  return n;
}

/* --- what a region owes --- */

void nth_team_owe(struct nth_team *t, struct nth_member *m) {
  nth_assert(m->due != 0 && t->crew.due == 0);
  t->crew.due = m->due;
  t->crew.priced = m->priced;
  m->due = 0;
}

void nth_team_pay(struct nth_team *t) {
  uint32_t due = t->crew.due, taken = due & ~NTH_DUE_PRICE;
  t->crew.due = 0;
  if (taken != 0)
    give_threads(t, taken);
  if (due & NTH_DUE_PRICE)
    nth_region_price_learn(t->crew.priced, t->size, nth_clock_ns());
}
