/* lay.c - laying a team along the tree of memory domains
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/team/lay.h"

#include "runtime/mem/heap.h"
#include "runtime/omp/queue/task_domain.h"
#include "runtime/omp/team/team.h"
#include "runtime/place/domains/tree.h"

/* --- groups --- */

/* Members of a root's team of n, together with those that the rest of the OMP_NUM_THREADS list
 * nests in it. */
static uint64_t with_nested(const struct nth_icv *icv, uint32_t n) {
  uint64_t members = n;
  for (uint32_t l = 1; l < nth_env.nthreads_list_len && l < icv->max_active_levels; l++)
    if (members <= NTH_MAX_TEAM)
      members *= nth_env.nthreads_list[l];
  return members;
}

struct nth_stretch nth_lay_all(void) {
  const struct nth_domains *d = nth_tree();
  return (struct nth_stretch){d, 0, d->node[0].count, false};
}

struct nth_stretch nth_lay_plan(const struct nth_member *m, uint32_t n) {
  const struct nth_team *outer = m->now.team;
  nth_assert(n > 0 && (!outer || m->now.thread_num < outer->size));
  struct nth_stretch stretch;
  if (outer && outer->laid.stretch.tree) {
    if (outer->laid.stretch.tree->leaves == 1)
      return outer->laid.stretch; /* one leaf: there is nothing to tell apart */
    stretch = nth_stretch_of(&outer->laid.stretch, m->now.thread_num, outer->size, n);
  } else {
    if (!outer && m->is_root && nth_tree_wanted(with_nested(m->now.icv, n)))
      nth_tree_find();
    stretch = nth_lay_all();
  }
  nth_assert(stretch.tree && stretch.count > 0 &&
             stretch.first + stretch.count <= stretch.tree->node[0].count);
  stretch.split =
      n > 1 && stretch.tree->leaves > 1 && m->now.active_level + 1 < m->now.icv->max_active_levels;
  return stretch;
}

/* --- members --- */

/* The leaf of the CPU that member i probably runs on, one of several members on its place. If the
 * member is not bound, or the tree does not know its place, the leaf of its position. */
static uint32_t leaf_of(const struct nth_stretch *stretch, const struct nth_seating *s, uint32_t i,
                        uint32_t n) {
  const struct nth_domains *d = stretch->tree;
  nth_assert(i < n && (!s || i < s->assignment.members));
  if (s && d->position) {
    const struct nth_places *p = s->places;
    const uint64_t *set = nth_places_set(p, nth_seat_place(nth_assign(&s->assignment, i)));
    uint32_t cpus = nth_cpus_count(set, p->words);
    uint64_t cpu = nth_cpus_next(set, p->words, 0);
    for (uint32_t skip = cpus ? i % cpus : 0; skip > 0; skip--)
      cpu = nth_cpus_next(set, p->words, cpu + 1);
    if (cpu < d->cpus && d->position[cpu] != UINT32_MAX)
      return nth_domains_leaf_at(d, d->position[cpu]);
  }
  return nth_domains_leaf_at(d, nth_stretch_position(stretch, i, n));
}

uint32_t nth_lay_pool(const struct nth_stretch *stretch, const struct nth_seating *seating,
                      uint32_t i, uint32_t n) {
  return nth_domains_pool(stretch->tree, leaf_of(stretch, seating, i, n));
}

/* Lays bound members by their places. NULL: there is nothing to tell apart, or they are too many.
 * Else a table from the heap: leaf, order and index of each. */
static uint32_t *lay_places(struct nth_layout *l, const struct nth_stretch *stretch, uint32_t n,
                            const struct nth_seating *seating) {
  if (!seating || stretch->tree->leaves == 1 || !stretch->tree->position)
    return 0;
  uint32_t *table = nth_heap_take(3 * (size_t)n * sizeof *table);
  for (uint32_t i = 0; table && i < n; i++)
    table[i] = leaf_of(stretch, seating, i, n);
  if (table)
    nth_layout_places(l, stretch->tree, table, n, table + n, table + 2 * (size_t)n);
  return table;
}

/* --- a team --- */

/* Memory for the spans of all routes that are long. *many: they are too many, or there is no
 * memory. */
static struct nth_span *room_for(const struct nth_layout *l, bool *many) {
  struct nth_route r;
  size_t sum = 0;
  *many = false;
  for (uint32_t i = 0; l->order && i < l->members && sum <= NTH_ROUTE_SPANS_MOST; i++) {
    uint32_t spans = nth_route_lay(&r, l, i, 0);
    sum += spans > NTH_ROUTE_MEMBERS ? spans : 0;
  }
  if (sum == 0)
    return 0;
  struct nth_span *room = sum > NTH_ROUTE_SPANS_MOST ? 0 : nth_heap_take(sum * sizeof *room);
  *many = !room;
  return room;
}

/* Makes a layout of n members, and memory for the spans of their routes; *room NULL: they are
 * short. The caller owns both. Returns a table, to be freed when the routes are made. */
static uint32_t *lay_members(struct nth_layout *l, const struct nth_stretch *stretch, uint32_t n,
                             const struct nth_seating *seating, struct nth_span **room) {
  bool many = true;
  uint32_t *table = lay_places(l, stretch, n, seating);
  *room = table ? room_for(l, &many) : 0;
  if (many)
    nth_layout_blocks(l, stretch, n);
  return table;
}

void nth_lay_team(struct nth_team *t, const struct nth_stretch *stretch, uint32_t n,
                  const struct nth_seating *seating) {
  struct nth_layout l;
  nth_assert(n > 0 && n == t->size && stretch->tree);
  struct nth_span *room;
  uint32_t *table = lay_members(&l, stretch, n, seating, &room);
  nth_heap_free(t->laid.spans);
  t->laid.stretch = *stretch;
  t->laid.spans = room;
  t->barrier_shape.leaf = (uint8_t)nth_layout_radix(&l);
  nth_assert(t->barrier_shape.leaf > 0);
  nth_task_domains_lay(t, &l, room);
  nth_heap_free(table);
}
