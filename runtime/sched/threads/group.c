/* group.c - the workers of a root, and which of its teams has which of them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/threads/group.h"

#include <string.h>

#include "runtime/mem/heap.h"
#include "runtime/sched/threads/holder.h"

bool nth_group_reserve(struct nth_worker ***array, uint32_t *capacity, uint32_t size,
                       uint32_t want) {
  nth_assert(size <= *capacity || size <= 1);
  if (want <= *capacity)
    return true;
  uint32_t room = want < 8 ? 8 : want + want / 2;
  struct nth_worker **proc = nth_heap_alloc(room * sizeof *proc);
  if (!proc)
    return false;
  if (size > 1)
    memcpy(proc, *array, size * sizeof *proc);
  nth_heap_free(*array);
  *array = proc;
  *capacity = room;
  return true;
}

/* Whether g has a worker for member i. */
static inline bool has(const struct nth_group *g, uint32_t i) {
  return i < g->size && g->proc[i] && nth_load_rlx(&g->proc[i]->group) == g;
}

/* Whether the master of h may be at work: it is in the root's region, or in an inner team whose own
 * master is. Under lock. */
static bool is_open(const struct nth_group *h) {
  const struct nth_group *home = nth_load_rlx(&h->home);
  while (h->master != home->master) {
    const struct nth_worker *p = h->master;
    h = nth_load_rlx(&p->group);
    if (p->home != home || !h)
      return false;
    if (h == home)
      return p->rank < home->members;
  }
  return true;
}

/* Whether g, not the root's group, may have p. Under lock. */
static bool is_free(const struct nth_group *g, const struct nth_worker *p) {
  nth_assert(nth_holder_held() && g != nth_load_rlx(&g->home));
  const struct nth_group *h = nth_load_rlx(&p->group);
  if (h == nth_load_rlx(&g->home))
    return p->rank >= h->members;
  return !is_open(h);
}

/* The number of the worker that is to serve member i of g; 0: none. First choice is the number of
 * the flat region's member with the same part of the data. If that worker is not free, the worker
 * in whose place this member would be, and so on. Last come other free workers, from *next on.
 * Under lock. */
static uint32_t number_for(const struct nth_group *g, uint32_t i, uint32_t *next) {
  const struct nth_group *home = nth_load_rlx(&g->home);
  nth_assert(nth_holder_held() && i > 0 && i < g->team && *next > 0);
  uint64_t at = g->number * g->team + i, most = g->span * g->team;
  for (; at < most && at < home->all_size; at *= g->team) {
    if (!home->all[at])
      break;
    if (is_free(g, home->all[at]))
      return (uint32_t)at;
  }
  for (; *next < home->all_size; ++*next)
    if (home->all[*next] && is_free(g, home->all[*next]))
      return *next;
  return 0;
}

uint32_t nth_group_number_of_new(const struct nth_group *g, uint32_t i) {
  const struct nth_group *home = nth_load_rlx(&g->home);
  nth_assert(nth_holder_held() && g != home && i > 0);
  uint64_t at = g->number * g->team + i, most = g->span * g->team;
  for (; at < most && at < NTH_GROUP_GAP; at *= g->team)
    if (at >= home->all_size || !home->all[at])
      return (uint32_t)at;
  uint32_t first = home->members > 1 ? home->members : 1;
  while (first < home->all_size && home->all[first])
    first++;
  return first;
}

/* p's next regions are those of g. */
static void serve(struct nth_group *g, struct nth_worker *p) {
  nth_assert(nth_holder_held() && g->master);
  nth_store_rlx(&p->group, g);
  nth_store_rlx(&p->gaps.thread, g->master->tid);
}

void nth_group_have(struct nth_group *g, struct nth_worker *p) {
  nth_assert(nth_holder_held() && nth_group_lists(nth_load_rlx(&g->home), p));
  struct nth_group *before = nth_load_rlx(&p->group);
  if (before == g)
    return;
  if (before && before != nth_load_rlx(&g->home))
    nth_holder_config.lost(before);
  serve(g, p);
}

void nth_group_call_back(struct nth_group *home, uint32_t n) {
  if (nth_likely(home->split == n))
    return;
  nth_mutex_lock(&nth_holder_lock);
  nth_assert(nth_load_rlx(&home->home) == home && n > 1);
  home->split = n;
  for (uint32_t i = 1; i < home->all_size; i++)
    if (home->all[i])
      nth_group_have(home, home->all[i]);
  nth_mutex_unlock(&nth_holder_lock);
}

uint32_t nth_group_take(struct nth_group *g, uint32_t want) {
  struct nth_group *home = nth_load_rlx(&g->home);
  if (!home)
    nth_store_rlx(&g->home, home = g);
  uint32_t missing = 0, next = 1;
  nth_assert(want > 0 && nth_load_rlx(&home->home) == home);
  g->size = g->size ? g->size : 1;
  if (!nth_group_reserve(&g->proc, &g->capacity, g->size, want))
    return want - g->size;
  nth_mutex_lock(&nth_holder_lock);
  nth_assert_valid(nth_group_valid(g));
  if (g != home && home->members > 1)
    home->outer = home->members;
  if (g != home && home->split != home->members) /* a region of one calls no worker back */
    home->split = 0;
  for (uint32_t i = 1; i < g->size; i++)
    g->proc[i] = has(g, i) ? g->proc[i] : 0; /* all first: a lost one may return as another
                                              * member */
  for (uint32_t i = 1; i < want; i++) {
    if (has(g, i))
      continue;
    uint32_t number = g != home ? number_for(g, i, &next) : i < home->all_size ? i : 0;
    struct nth_worker *p = number ? home->all[number] : 0;
    g->proc[i] = p;
    if (p)
      nth_group_have(g, p);
    else
      missing++;
  }
  nth_mutex_unlock(&nth_holder_lock);
  g->size = want > g->size ? want : g->size;
  return missing;
}

void nth_group_give_back(struct nth_group *g, uint32_t keep) {
  if (nth_load_rlx(&g->home) == g || g->size <= keep)
    return;
  nth_assert(nth_load_rlx(&g->home) && g->size <= g->capacity);
  nth_mutex_lock(&nth_holder_lock);
  for (uint32_t i = keep > 1 ? keep : 1; i < g->size; i++)
    if (has(g, i))
      serve(nth_load_rlx(&g->home), g->proc[i]);
  nth_mutex_unlock(&nth_holder_lock);
  g->size = keep;
}

uint32_t nth_group_present(const struct nth_group *g, uint32_t want) {
  nth_assert(want <= g->capacity || g->size <= g->capacity);
  uint32_t i = 1;
  while (i < want && has(g, i) && !nth_worker_left(g->proc[i]))
    i++;
  return i;
}
