/* route.c - where a team's members are in the tree of domains, and which others each visits first
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/place/domains/route.h"

#include <string.h>

/* --- stretches --- */

/* The position at which share i of n begins. */
static uint32_t border(const struct nth_stretch *p, uint32_t i, uint32_t n) {
  if (i == 0 || i == n)
    return i == 0 ? p->first : p->first + p->count;
  uint32_t at = p->first + (uint32_t)((uint64_t)i * p->count / n);
  const struct nth_domain *leaf = &p->tree->node[nth_domains_leaf_at(p->tree, at)];
  bool small = 2 * leaf->count <= p->count / n && leaf->first > p->first;
  return small ? leaf->first : at;
}

uint32_t nth_stretch_position(const struct nth_stretch *p, uint32_t i, uint32_t n) {
  if (p->split)
    return border(p, i, n);
  return p->first + (n <= p->count ? i : (uint32_t)((uint64_t)i * p->count / n));
}

struct nth_stretch nth_stretch_of(const struct nth_stretch *of, uint32_t i, uint32_t members,
                                  uint32_t n) {
  struct nth_stretch stretch = {of->tree, nth_stretch_position(of, i, members), 1, false};
  if (of->split || members == 1) {
    stretch.first = border(of, i, members);
    uint32_t end = border(of, i + 1, members);
    stretch.count = end > stretch.first ? end - stretch.first : 1;
    return stretch;
  }
  uint32_t k = nth_domains_leaf_at(of->tree, stretch.first);
  while (k != 0 && of->tree->node[k].count < n)
    k = of->tree->node[k].parent;
  stretch.first = of->tree->node[k].first;
  stretch.count = of->tree->node[k].count;
  return stretch;
}

/* --- layouts --- */

/* The first of n members at this position or a later one. */
static uint32_t member_from(const struct nth_stretch *p, uint32_t position, uint32_t n) {
  if (position <= p->first)
    return 0;
  if (position >= p->first + p->count)
    return n;
  uint32_t low = 0, high = n; /* positions of members grow */
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (nth_stretch_position(p, middle, n) < position)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void count_used(struct nth_layout *l) {
  const struct nth_domains *d = l->tree;
  l->used[0] = 0;
  for (uint32_t k = 0; k < d->count; k++)
    l->used[k + 1] = l->used[k] + (l->from[k] < l->from[d->node[k].end]);
}

void nth_layout_blocks(struct nth_layout *l, const struct nth_stretch *p, uint32_t n) {
  const struct nth_domains *d = p->tree;
  l->tree = d;
  l->members = n;
  l->order = l->index = 0;
  for (uint32_t k = 0; k < d->count; k++)
    l->from[k] = member_from(p, d->node[k].first, n);
  l->from[d->count] = n;
  count_used(l);
}

void nth_layout_places(struct nth_layout *l, const struct nth_domains *tree, const uint32_t *leaf,
                       uint32_t n, uint32_t *order, uint32_t *index) {
  uint32_t next[NTH_DOMAINS_MOST] = {0};
  l->tree = tree;
  l->members = n;
  l->order = order;
  l->index = index;
  for (uint32_t i = 0; i < n; i++)
    next[leaf[i]]++;
  l->from[0] = 0;
  for (uint32_t k = 0; k < tree->count; k++) {
    l->from[k + 1] = l->from[k] + next[k];
    next[k] = l->from[k];
  }
  for (uint32_t i = 0; i < n; i++) {
    index[i] = next[leaf[i]]++;
    order[index[i]] = i;
  }
  count_used(l);
}

static uint32_t index_of(const struct nth_layout *l, uint32_t i) {
  return l->index ? l->index[i] : i;
}

static uint32_t member_at(const struct nth_layout *l, uint32_t index) {
  return l->order ? l->order[index] : index;
}

uint32_t nth_layout_leaf(const struct nth_layout *l, uint32_t i) {
  const struct nth_domains *d = l->tree;
  uint32_t k = 0, at = index_of(l, i);
  while (k + 1 < d->node[k].end)
    for (k++; l->from[d->node[k].end] <= at; k = d->node[k].end) {}
  return k;
}

/* The size of a barrier's first groups, for leaves of `each` members. Best is a size r with which
 * the groups of a leaf make exactly one tree: NTH_TREE_RADIX groups make one of the next level, and
 * so on. Second best is the largest size with which no group crosses a leaf's border. */
static uint32_t radix_for(uint32_t each) {
  enum { MOST = 2 * NTH_TREE_RADIX }; /* a group's leader looks at all others of the group */
  uint32_t divisor = NTH_TREE_RADIX;
  for (uint32_t r = MOST; r >= 2; r--) {
    uint32_t rest = each / r;
    while (rest > 1 && rest % NTH_TREE_RADIX == 0)
      rest /= NTH_TREE_RADIX;
    if (each % r == 0 && rest == 1)
      return r;
  }
  for (uint32_t r = 2; r <= MOST; r++)
    if (each % r == 0)
      divisor = r;
  return divisor;
}

uint32_t nth_layout_radix(const struct nth_layout *l) {
  const struct nth_domains *d = l->tree;
  uint32_t each = 0, begin = 0;
  if (nth_layout_nodes(l) == 1)
    return NTH_TREE_RADIX;
  for (uint32_t k = 0; k < d->count; k++) {
    uint32_t here = (uint32_t)(l->from[d->node[k].end] - l->from[k]);
    if (d->node[k].end != k + 1 || here == 0)
      continue;
    if (each == 0)
      each = here;
    if (here != each && begin + here != l->members) /* the last one may be shorter */
      return NTH_TREE_RADIX;
    for (uint32_t p = begin; p < begin + here; p++)
      if (member_at(l, p) != p)
        return NTH_TREE_RADIX;
    begin += here;
  }
  return each < 2 || each == l->members ? NTH_TREE_RADIX : radix_for(each);
}

/* --- routes --- */

/* Until translate() a route's spans hold indexes. */
static void add(struct nth_route *r, uint32_t begin, uint32_t end) {
  if (begin < end)
    r->own[r->members++] = (struct nth_span){begin, end};
}

static void add_nodes(struct nth_route *r, const struct nth_layout *l, uint32_t begin,
                      uint32_t end) {
  if (l->used[begin] < l->used[end])
    r->node[r->nodes++] = (struct nth_span){l->used[begin], l->used[end]};
}

/* Adds the indexes of `outer` that are after `inner`, then those before it: as a circle that begins
 * at the start-th of them. */
static void add_circle(struct nth_route *r, struct nth_span outer, struct nth_span inner,
                       uint32_t start) {
  uint32_t beyond = (uint32_t)(outer.end - inner.end);
  if (start < beyond) {
    add(r, inner.end + start, outer.end);
    add(r, outer.begin, inner.begin);
    add(r, inner.end, inner.end + start);
  } else {
    start -= beyond;
    add(r, outer.begin + start, inner.begin);
    add(r, inner.end, outer.end);
    add(r, outer.begin, outer.begin + start);
  }
}

/* Turns a route's spans of indexes into spans of member numbers, in the same order. Returns how
 * many spans these are; room NULL: nothing is written. */
static uint32_t translate(const struct nth_route *r, const struct nth_layout *l,
                          struct nth_span *room) {
  uint32_t count = 0, end = UINT32_MAX;
  for (uint32_t s = 0; s < r->members; s++)
    for (uint32_t p = r->own[s].begin; p < r->own[s].end; p++) {
      uint32_t m = member_at(l, p);
      if (m != end && room)
        room[count] = (struct nth_span){m, m};
      count += m != end;
      end = m + 1;
      if (room)
        room[count - 1].end = end;
    }
  return count;
}

uint32_t nth_route_lay(struct nth_route *r, const struct nth_layout *l, uint32_t i,
                       struct nth_span *room) {
  const struct nth_domains *d = l->tree;
  uint32_t leaf = nth_layout_leaf(l, i), at = index_of(l, i);
  struct nth_span inner = {l->from[leaf], l->from[d->node[leaf].end]};
  *r = (struct nth_route){.member = r->own};
  add(r, at + 1, inner.end);
  add(r, inner.begin, at);
  for (uint32_t k = leaf, next;; k = next) {
    add_nodes(r, l, k, k + 1);
    r->path++;
    if (k == 0)
      break;
    next = d->node[k].parent;
  }
  for (uint32_t k = leaf; k != 0; k = d->node[k].parent) {
    uint32_t up = d->node[k].parent;
    struct nth_span outer = {l->from[up], l->from[d->node[up].end]};
    uint32_t inside = (uint32_t)(inner.end - inner.begin);
    uint32_t others = (uint32_t)(outer.end - outer.begin) - inside;
    add_circle(r, outer, inner, (at - inner.begin) * others / inside);
    add_nodes(r, l, d->node[k].end, d->node[up].end);
    add_nodes(r, l, up + 1, k);
    inner = outer;
  }
  if (!l->order)
    return r->members;
  uint32_t spans = translate(r, l, 0);
  if (spans <= NTH_ROUTE_MEMBERS) {
    struct nth_span few[NTH_ROUTE_MEMBERS];
    translate(r, l, few);
    memcpy(r->own, few, spans * sizeof few[0]);
  } else if (room) {
    translate(r, l, room);
    r->member = room;
  }
  r->members = spans;
  return spans;
}

/* --- checks --- */

/* Whether the spans have each number of [0, n) once, except `without`. */
static bool covers(const struct nth_span *list, uint32_t count, uint32_t n, uint32_t without) {
  uint32_t sum = 0;
  for (uint32_t a = 0; a < count; a++) {
    if (list[a].begin >= list[a].end || list[a].end > n ||
        (list[a].begin <= without && without < list[a].end))
      return false;
    for (uint32_t b = 0; b < a; b++)
      if (list[a].begin < list[b].end && list[b].begin < list[a].end)
        return false;
    sum += (uint32_t)(list[a].end - list[a].begin);
  }
  return sum == n - (without < n);
}

bool nth_route_valid(const struct nth_route *r, const struct nth_layout *l, uint32_t i) {
  uint32_t k = nth_layout_leaf(l, i);
  if ((r->member == r->own && r->members > NTH_ROUTE_MEMBERS) || r->nodes > NTH_ROUTE_NODES ||
      r->path != l->tree->node[k].depth + 1)
    return false;
  for (uint32_t s = 0; s < r->path; s++, k = l->tree->node[k].parent)
    if (r->node[s].begin != l->used[k] || r->node[s].end != l->used[k] + 1)
      return false;
  return covers(r->member, r->members, l->members, i) &&
         covers(r->node, r->nodes, nth_layout_nodes(l), UINT32_MAX);
}
