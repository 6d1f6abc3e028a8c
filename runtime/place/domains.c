/* domains.c - the tree of memory domains: which processors are near each other, who looks where first
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/place/domains.h"

#include <assert.h>

#include "runtime/base/check.h"

static_assert(NTH_MAX_TEAM <= UINT16_MAX && NTH_DOMAINS_MOST <= UINT16_MAX, "spans are of 16 bits");

struct nth_domains nth_domains = {.count = 1, .leaves = 1, .node = {{.end = 1, .count = 1}}};

/* --- members --- */

/* The first member of a team of n that is at this processor or a later one. */
static uint32_t member_from(const struct nth_domains *d, uint32_t processor, uint32_t n) {
  uint32_t all = d->node[0].count;
  if (processor == 0 || processor == all)
    return processor == 0 ? 0 : n;
  if (n <= all)
    return processor < n ? processor : n;
  return (uint32_t)(((uint64_t)processor * n + all - 1) / all);
}

static struct nth_span members_of(const struct nth_domains *d, uint32_t k, uint32_t n) {
  const struct nth_domain *node = &d->node[k];
  return (struct nth_span){(uint16_t)member_from(d, node->first, n),
                           (uint16_t)member_from(d, node->first + node->count, n)};
}

uint32_t nth_domains_leaf(const struct nth_domains *d, uint32_t i, uint32_t n) {
  uint32_t k = 0;
  while (k + 1 < d->node[k].end)
    for (k++; members_of(d, k, n).end <= i; k = d->node[k].end) {
    }
  return k;
}

uint32_t nth_domains_used(const struct nth_domains *d, uint32_t n) {
  return nth_domains_leaf(d, n - 1, n) + 1;
}

/* --- routes --- */

static void add(struct nth_span *list, uint8_t *count, uint32_t begin, uint32_t end) {
  if (begin < end)
    list[(*count)++] = (struct nth_span){(uint16_t)begin, (uint16_t)end};
}

/* Those of `outer` beyond `inner`, then those before it, begun at the start-th of them. */
static void add_circle(struct nth_route *r, struct nth_span outer, struct nth_span inner,
                       uint32_t start) {
  uint32_t beyond = (uint32_t)(outer.end - inner.end);
  if (start < beyond) {
    add(r->member, &r->members, inner.end + start, outer.end);
    add(r->member, &r->members, outer.begin, inner.begin);
    add(r->member, &r->members, inner.end, inner.end + start);
  } else {
    start -= beyond;
    add(r->member, &r->members, outer.begin + start, inner.begin);
    add(r->member, &r->members, inner.end, outer.end);
    add(r->member, &r->members, outer.begin, outer.begin + start);
  }
}

void nth_route_make(struct nth_route *r, const struct nth_domains *d, uint32_t i, uint32_t n) {
  uint32_t leaf = nth_domains_leaf(d, i, n), used = nth_domains_used(d, n);
  struct nth_span inner = members_of(d, leaf, n);
  r->members = r->nodes = r->path = 0;
  add(r->member, &r->members, i + 1, inner.end);
  add(r->member, &r->members, inner.begin, i);
  for (uint32_t k = leaf, next;; k = next) {
    add(r->node, &r->nodes, k, k + 1);
    r->path++;
    if (k == 0)
      break;
    next = d->node[k].parent;
  }
  for (uint32_t k = leaf; k != 0; k = d->node[k].parent) {
    uint32_t up = d->node[k].parent, end = d->node[up].end;
    struct nth_span outer = members_of(d, up, n);
    uint32_t inside = (uint32_t)(inner.end - inner.begin);
    uint32_t others = (uint32_t)(outer.end - outer.begin) - inside;
    add_circle(r, outer, inner, (i - inner.begin) * others / inside);
    add(r->node, &r->nodes, d->node[k].end, end < used ? end : used);
    add(r->node, &r->nodes, up + 1, k);
    inner = outer;
  }
  nth_assert_valid(nth_route_valid(r, d, i, n));
}

/* --- checks --- */

static bool node_valid(const struct nth_domains *d, uint32_t k) {
  const struct nth_domain *node = &d->node[k];
  uint32_t first = node->first, leaf = node->leaf, c = k + 1;
  for (; c < node->end; c = d->node[c].end) {
    const struct nth_domain *child = &d->node[c];
    if (child->parent != k || child->depth != node->depth + 1 || child->first != first ||
        child->leaf != leaf || child->end <= c)
      return false;
    first += child->count;
    for (uint32_t l = c; l < child->end; l++)
      leaf += l + 1 == d->node[l].end;
  }
  return c == node->end && node->count > 0 && (node->end == k + 1 || first == node->first + node->count);
}

bool nth_domains_valid(const struct nth_domains *d) {
  uint32_t leaves = 0;
  for (uint32_t k = 0; k < d->count; k++) {
    if (!node_valid(d, k) || d->node[k].depth >= NTH_DOMAIN_LEVELS)
      return false;
    leaves += k + 1 == d->node[k].end;
  }
  return d->count >= 1 && d->count <= NTH_DOMAINS_MOST && d->node[0].end == d->count &&
         d->node[0].parent == 0 && d->node[0].first == 0 && leaves == d->leaves;
}

/* Whether the spans have all of [0, n) once, but `without`. */
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

bool nth_route_valid(const struct nth_route *r, const struct nth_domains *d, uint32_t i, uint32_t n) {
  uint32_t k = nth_domains_leaf(d, i, n);
  if (r->members > NTH_ROUTE_MEMBERS || r->nodes > NTH_ROUTE_NODES || r->path != d->node[k].depth + 1)
    return false;
  for (uint32_t s = 0; s < r->path; s++, k = d->node[k].parent)
    if (r->node[s].begin != k || r->node[s].end != k + 1)
      return false;
  return covers(r->member, r->members, n, i) &&
         covers(r->node, r->nodes, nth_domains_used(d, n), UINT32_MAX);
}
