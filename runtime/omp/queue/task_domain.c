/* task_domain.c - the ready queues of a team's memory domains
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/queue/task_domain.h"

#include "runtime/arch/section.h"
#include "runtime/base/check.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/types/team_type.h"

/* --- one queue --- */

static inline uint32_t byte_of(uint64_t word, uint32_t p) {
  nth_assert(p < NTH_READY_PARTS);
  return (uint32_t)(word >> (8 * p)) & 255;
}

static inline uint32_t byte_for(const struct nth_task_list *l) {
  uint32_t top = nth_load_rlx(&l->top);
  if (nth_load_rlx(&l->length) == 0)
    return 0;
  return top < NTH_READY_HIGH - 1 ? 1 + top : NTH_READY_HIGH;
}

/* Under the part's lock: brings the part's byte up to date. */
static inline void note(struct nth_task_domain *d, uint32_t p) {
  nth_assert(nth_task_list_held(&d->part[p].list));
  uint64_t is = byte_for(&d->part[p].list), was = byte_of(nth_load_rlx(&d->word), p);
  if (is != was)
    nth_add_rlx(&d->word, (is - was) << (8 * p)); /* I1 */
  nth_assert_valid(byte_of(nth_load_rlx(&d->word), p) == is);
}

void nth_task_domain_push(struct nth_task_domain *d, uint32_t p, struct nth_task *t) {
  nth_assert(p < NTH_READY_PARTS);
  struct nth_task_list *l = &d->part[p].list;
  bool counts = t->priority == 0;
  nth_mutex_lock_soon(&l->lock);
  nth_task_list_push_locked(l, t);
  note(d, p);
  nth_mutex_unlock(&l->lock);
  if (counts)
    nth_add_rlx(&d->ready.put, 1);
}

static struct nth_task *take_of_part(struct nth_task_domain *d, uint32_t p, bool urgent,
                                     const struct nth_task *from, unsigned how) {
  nth_assert(p < NTH_READY_PARTS && (!urgent || how == 0));
  struct nth_task_list *l = &d->part[p].list;
  nth_mutex_lock_soon(&l->lock);
  struct nth_task *t =
      urgent ? nth_task_list_take_urgent_locked(l, from) : nth_task_list_take_locked(l, from, how);
  nth_assert(!t || (t->priority != 0) == urgent);
  if (t)
    note(d, p);
  nth_mutex_unlock(&l->lock);
  if (t && !urgent)
    nth_add_rlx(&d->ready.taken, 1);
  return t;
}

static struct nth_task *take(struct nth_task_domain *d, uint32_t first, const struct nth_task *from,
                             unsigned how) {
  uint64_t word = nth_load_rlx(&d->word);
  struct nth_task *t = 0;
  for (uint32_t i = 0; nth_unlikely(word != 0) && !t && i < NTH_READY_PARTS; i++) {
    uint32_t p = (first + i) % NTH_READY_PARTS;
    if (byte_of(word, p) != 0)
      t = take_of_part(d, p, false, from, how);
  }
  return t;
}

/* The highest priority in a part, as the word says; 0: none. */
static inline uint32_t priority_in(const struct nth_task_domain *d, uint64_t word, uint32_t p) {
  uint32_t byte = byte_of(word, p);
  if (nth_unlikely(byte == NTH_READY_HIGH))
    return nth_load_rlx(&d->part[p].list.top);
  return byte > 0 ? byte - 1 : 0;
}

/* The highest priority in the queue that is below `below`; 0: none. */
static uint32_t highest_in(const struct nth_task_domain *d, uint32_t below) {
  uint64_t word = nth_load_rlx(&d->word);
  uint32_t best = 0;
  for (uint32_t p = 0; word != 0 && p < NTH_READY_PARTS; p++) {
    uint32_t priority = priority_in(d, word, p);
    best = priority < below && priority > best ? priority : best;
  }
  return best;
}

static struct nth_task *take_urgent(struct nth_task_domain *d, uint32_t first,
                                    const struct nth_task *from, uint32_t priority) {
  nth_assert(priority > 0);
  uint64_t word = nth_load_rlx(&d->word);
  struct nth_task *t = 0;
  for (uint32_t i = 0; word != 0 && !t && i < NTH_READY_PARTS; i++) {
    uint32_t p = (first + i) % NTH_READY_PARTS;
    if (priority_in(d, word, p) == priority)
      t = take_of_part(d, p, true, from, 0);
  }
  return t;
}

/* --- those of a team --- */

static inline struct nth_task_domain *node(const struct nth_team *team, uint32_t k) {
  nth_assert(k < team->ready.made);
  return nth_task_domain_of(team->ready.node[k]);
}

/* The lowest level below `level`, which is > 0, at which there is a docked slave that can be
 * recalled; else `level`. */
static uint32_t docked_below(const struct nth_team *team, const struct nth_route *r,
                             uint32_t level) {
  nth_assert(level > 0 && level <= r->path);
  NTH_ROUTE_EACH_MEMBER(r, i)
  if (i > 0 && nth_djs_done(&team->slot[i]->djs, nth_load_rlx(&team->crew.pjv[i])))
    return nth_route_common(r, &team->slot[i]->route, level);
  return level;
}

struct nth_task_domain *nth_task_domain_idle(const struct nth_team *team,
                                             const struct nth_slot *mine,
                                             const struct nth_slot *hungry) {
  const struct nth_route *r = &mine->route;
  nth_assert(team->size > 1 && r->path > 0);
  uint32_t level = nth_ready_lowest(&team->ready, r);
  if (r->path > 1 && level > 0)
    level = docked_below(team, r, level);
  if (level == r->path && hungry)
    level = nth_route_common(r, &hungry->route, r->path);
  else if (level == r->path && nth_load_rlx(&team->help.bell.sleepers) > 0)
    level = 0; /* there is one domain only, or sleepers are just waking */
  return level < r->path ? nth_task_domain_of(nth_ready_at(&team->ready, r, level)) : 0;
}

struct nth_task *nth_task_domains_take(struct nth_member *m, const struct nth_task *from,
                                       unsigned how, bool path) {
  const struct nth_slot *mine = m->now.slot;
  const struct nth_route *r = &mine->route;
  struct nth_task *t = 0;
  NTH_ROUTE_EACH_NODE(r, path ? 0 : r->path, path ? r->path : r->nodes, k)
  if ((t = take(node(m->now.team, k), mine->queue.part, from, how)))
    return t;
  return 0;
}

/* Begins with the domain that has the highest priority, the nearest of several. If nothing of that
 * priority may start here, goes on with the next lower one. */
struct nth_task *nth_task_domains_urgent(struct nth_member *m, const struct nth_task *from) {
  const struct nth_slot *mine = m->now.slot;
  const struct nth_route *r = &mine->route;
  const struct nth_team *team = m->now.team;
  nth_assert(team && r->path <= r->nodes);
  struct nth_task *t;
  for (uint32_t below = UINT32_MAX, best;; below = best) {
    best = 0;
    NTH_ROUTE_EACH_NODE(r, 0, r->nodes, k) {
      uint32_t top = highest_in(node(team, k), below);
      best = top > best ? top : best;
    }
    if (best == 0)
      return 0;
    NTH_ROUTE_EACH_NODE(r, 0, r->nodes, k)
    if ((t = take_urgent(node(team, k), mine->queue.part, from, best)))
      return t;
  }
}

bool nth_task_domains_any(const struct nth_team *team) {
  for (uint32_t k = 0; k < team->ready.nodes; k++)
    if (nth_load_rlx(&node(team, k)->word) != 0)
      return true;
  return false;
}

bool nth_task_queued(const struct nth_team *team) {
  for (uint32_t i = 0; i < team->size; i++) {
    const struct nth_task_queue *q = &team->slot[i]->queue;
    if (nth_load_rlx(&q->list.length) > 0 || nth_deque_any(&q->deque))
      return true;
  }
  return nth_task_domains_any(team);
}

/* --- begin and end --- */

void nth_task_domains_lay(struct nth_team *team, const struct nth_layout *l,
                          struct nth_span *room) {
  nth_assert(l->members <= team->crew.capacity);
  nth_ready_grow(&team->ready, l, sizeof(struct nth_task_domain));
  for (uint32_t i = 0; i < l->members; i++) {
    struct nth_slot *s = team->slot[i];
    nth_assert(nth_load_rlx(&s->queue.list.length) == 0 && !nth_deque_any(&s->queue.deque));
    nth_ready_route(&s->route, l, i, &room);
    s->queue.domain = node(team, s->route.node[0].begin);
    s->queue.part = i % NTH_READY_PARTS;
  }
  nth_assert(!nth_task_domains_any(team));
}

NTH_IN_CHILD void nth_task_domains_forget(struct nth_team *team) {
  nth_ready_forget(&team->ready);
  for (uint32_t k = 0; k < team->ready.made; k++) {
    struct nth_task_domain *d = node(team, k);
    nth_store_rlx(&d->word, 0);
    for (uint32_t p = 0; p < NTH_READY_PARTS; p++)
      nth_task_list_forget(&d->part[p].list);
  }
}

bool nth_task_domain_valid(struct nth_task_domain *d) {
  uint64_t word = nth_load_rlx(&d->word);
  bool good = true;
  for (uint32_t p = 0; p < NTH_READY_PARTS; p++) {
    struct nth_task_list *l = &d->part[p].list;
    nth_mutex_lock(&l->lock);
    good = good && nth_task_list_valid(l) && byte_of(word, p) == byte_for(l);
    nth_mutex_unlock(&l->lock);
  }
  return good;
}
