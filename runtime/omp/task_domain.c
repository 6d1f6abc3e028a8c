/* task_domain.c - the ready queues of a team's memory domains
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/task_domain.h"


#include "runtime/base/check.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/member.h"
#include "runtime/omp/team.h"

/* --- one queue --- */

static inline uint32_t byte_of(uint64_t word, uint32_t p) { return (uint32_t)(word >> (8 * p)) & 255; }

static inline uint32_t byte_for(const struct nth_task_list *l) {
  uint32_t top = nth_load_rlx(&l->top);
  if (nth_load_rlx(&l->length) == 0)
    return 0;
  return top < NTH_READY_HIGH - 1 ? 1 + top : NTH_READY_HIGH;
}

/* Under the part's lock: its byte says what is there now. */
static inline void note(struct nth_task_domain *d, uint32_t p) {
  uint64_t is = byte_for(&d->part[p].list), was = byte_of(nth_load_rlx(&d->word), p);
  if (is != was)
    nth_add_rlx(&d->word, (is - was) << (8 * p)); /* I1 */
}

void nth_task_domain_push(struct nth_task_domain *d, uint32_t p, struct nth_task *t) {
  struct nth_task_list *l = &d->part[p].list;
  nth_mutex_lock_soon(&l->lock);
  nth_task_list_push_locked(l, t);
  note(d, p);
  nth_mutex_unlock(&l->lock);
}

static struct nth_task *take_of_part(struct nth_task_domain *d, uint32_t p, bool urgent,
                                     const struct nth_task *from, unsigned how) {
  struct nth_task_list *l = &d->part[p].list;
  nth_mutex_lock_soon(&l->lock);
  struct nth_task *t = urgent ? nth_task_list_take_urgent_locked(l, from)
                              : nth_task_list_take_locked(l, from, how);
  if (t)
    note(d, p);
  nth_mutex_unlock(&l->lock);
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

/* The highest priority in a part as the word says it; 0: none. */
static inline uint32_t priority_in(const struct nth_task_domain *d, uint64_t word, uint32_t p) {
  uint32_t byte = byte_of(word, p);
  if (nth_unlikely(byte == NTH_READY_HIGH))
    return nth_load_rlx(&d->part[p].list.top);
  return byte > 0 ? byte - 1 : 0;
}

/* The highest one below `below`. */
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

struct nth_task *nth_task_domains_take(struct nth_member *m, const struct nth_task *from, unsigned how,
                                       bool path) {
  const struct nth_slot *mine = m->now.slot;
  const struct nth_route *r = &mine->route;
  struct nth_task *t = 0;
  for (uint32_t s = path ? 0 : r->path, end = path ? r->path : r->nodes; s < end; s++)
    for (uint32_t k = r->node[s].begin; !t && k < r->node[s].end; k++)
      t = take(m->now.team->domain[k], mine->queue.part, from, how);
  return t;
}

/* Of the domains with urgent tasks the one with the highest first, the nearest of several, then, while
 * nothing in it may start here, those below it. */
struct nth_task *nth_task_domains_urgent(struct nth_member *m, const struct nth_task *from) {
  const struct nth_slot *mine = m->now.slot;
  const struct nth_route *r = &mine->route;
  const struct nth_team *team = m->now.team;
  for (uint32_t below = UINT32_MAX, best;; below = best) {
    best = 0;
    for (uint32_t s = 0; s < r->nodes; s++)
      for (uint32_t k = r->node[s].begin; k < r->node[s].end; k++) {
        uint32_t top = highest_in(team->domain[k], below);
        best = top > best ? top : best;
      }
    if (best == 0)
      return 0;
    for (uint32_t s = 0; s < r->nodes; s++)
      for (uint32_t k = r->node[s].begin; k < r->node[s].end; k++) {
        struct nth_task *t = take_urgent(team->domain[k], mine->queue.part, from, best);
        if (t)
          return t;
      }
  }
}

bool nth_task_domains_any(const struct nth_team *team) {
  for (uint32_t k = 0; k < team->domains; k++)
    if (nth_load_rlx(&team->domain[k]->word) != 0)
      return true;
  return false;
}

/* --- begin and end --- */

/* Queues for that many nodes. */
static void add_nodes(struct nth_team *team, uint32_t count) {
  if (count <= team->domains_made)
    return;
  struct nth_task_domain **domain = nth_heap_need(count * sizeof(struct nth_task_domain *));
  for (uint32_t k = 0; k < count; k++)
    domain[k] = k < team->domains_made ? team->domain[k] : nth_heap_need(sizeof(struct nth_task_domain));
  nth_heap_free(team->domain);
  team->domain = domain;
  team->domains_made = count;
}

void nth_task_domains_lay(struct nth_team *team, const struct nth_layout *l, struct nth_span *room) {
  team->domains = nth_layout_nodes(l);
  add_nodes(team, team->domains);
  for (uint32_t i = 0; i < l->members; i++) {
    struct nth_slot *s = team->slot[i];
    uint32_t spans = nth_route_lay(&s->route, l, i, room);
    room += s->route.member == room ? spans : 0;
    nth_assert_valid(nth_route_valid(&s->route, l, i));
    s->queue.domain = team->domain[s->route.node[0].begin];
    s->queue.part = i % NTH_READY_PARTS;
  }
}

void nth_task_domains_forget(struct nth_team *team) {
  for (uint32_t k = 0; k < team->domains_made; k++) {
    struct nth_task_domain *d = team->domain[k];
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
