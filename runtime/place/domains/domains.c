/* domains.c - the tree of memory domains: which CPUs share a cache or a memory bank
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/place/domains/domains.h"

#include "runtime/arch/section.h"

const struct nth_domains nth_domains_one = {
    .count = 1, .leaves = 1, .node = {{.end = 1, .count = 1}}};
struct nth_domains nth_domains NTH_SPARSE;

uint32_t nth_domains_leaf_at(const struct nth_domains *d, uint32_t position) {
  uint32_t k = 0;
  while (k + 1 < d->node[k].end)
    for (k++; d->node[k].first + d->node[k].count <= position; k = d->node[k].end) {}
  return k;
}

/* Counts the nodes at that depth and the leaves above it, among those before node k. */
static uint32_t cut(const struct nth_domains *d, uint32_t depth, uint32_t k) {
  uint32_t nodes = 0;
  for (uint32_t i = 0; i < k; i++)
    nodes += d->node[i].depth == depth || (d->node[i].depth < depth && d->node[i].end == i + 1);
  return nodes;
}

uint32_t nth_domains_pool(const struct nth_domains *d, uint32_t leaf) {
  uint32_t depth = 0, k = leaf;
  while (depth + 1 < NTH_DOMAIN_LEVELS && cut(d, depth + 1, d->count) <= NTH_POOL_DOMAINS)
    depth++;
  while (d->node[k].depth > depth)
    k = d->node[k].parent;
  return cut(d, depth, k);
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
  return c == node->end && node->count > 0 &&
         (node->end == k + 1 || first == node->first + node->count);
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
