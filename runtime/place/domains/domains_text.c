/* domains_text.c - a tree of memory domains as text: NTH_DOMAINS
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <string.h>

#include "runtime/base/check.h"
#include "runtime/base/env.h"
#include "runtime/base/text.h"
#include "runtime/place/domains/domains.h"

/* Adds the subtree that these numbers describe. */
static void grow(struct nth_domains *d, uint32_t parent, const uint64_t *numbers, uint32_t levels) {
  uint32_t k = d->count++, first = d->leaves;
  struct nth_domain *node = &d->node[k];
  uint32_t leaf_count = (uint32_t)numbers[levels - 1];
  node->parent = (uint16_t)parent;
  node->depth = (uint16_t)(k == 0 ? 0 : d->node[parent].depth + 1);
  node->leaf = (uint16_t)first;
  node->first = first * leaf_count;
  if (levels == 1)
    d->leaves++;
  for (uint64_t i = 0; levels > 1 && i < numbers[0]; i++)
    grow(d, k, numbers + 1, levels - 1);
  node->end = (uint16_t)d->count;
  node->count = (d->leaves - first) * leaf_count;
}

bool nth_domains_parse(struct nth_domains *d, const char **at) {
  uint64_t number[NTH_DOMAIN_LEVELS], nodes = 1, level = 1;
  const char *begin = *at, *rest;
  uint32_t n = 0;
  do {
    nth_env_end(at);
    rest = *at;
    if (n == NTH_DOMAIN_LEVELS || !nth_env_unsigned(at, &number[n], NTH_MAX_PROCESSORS) ||
        number[n] == 0) {
      *at = rest;
      return false;
    }
    n++;
  } while (nth_env_char(at, 'x') || nth_env_char(at, 'X'));
  if (!nth_env_end(at)) {
    *at = rest; /* the last number, after which something else follows */
    return false;
  }
  for (uint32_t i = 0; i + 1 < n; i++) {
    level *= number[i];
    nodes += level;
    if (nodes > NTH_DOMAINS_MOST) {
      *at = begin;
      return false;
    }
  }
  memset(d, 0, sizeof *d);
  grow(d, 0, number, n);
  nth_assert_valid(nth_domains_valid(d));
  return true;
}

static bool same(const struct nth_domains *d, uint32_t a, uint32_t b) {
  uint32_t nodes = (uint32_t)(d->node[a].end - a);
  if (d->node[b].end - b != nodes)
    return false;
  for (uint32_t i = 0; i < nodes; i++)
    if (d->node[a + i].count != d->node[b + i].count ||
        d->node[a + i].end - a != d->node[b + i].end - b)
      return false;
  return true;
}

/* Adds node k's children, equal neighbours counted; a leaf's number of CPUs. */
static void add_node(struct nth_text *t, const struct nth_domains *d, uint32_t k) {
  uint32_t end = d->node[k].end, kinds = 0;
  if (k + 1 == end)
    nth_text_unsigned(t, d->node[k].count);
  for (uint32_t c = k + 1, next; c < end; c = next) {
    uint32_t equal = 1;
    for (next = d->node[c].end; next < end && same(d, c, next); next = d->node[next].end)
      equal++;
    bool alone = c == k + 1 && next == end;
    nth_text_add(t, alone ? "" : kinds++ ? "+" : "(");
    if (alone || equal > 1) {
      nth_text_unsigned(t, equal);
      nth_text_add(t, "x");
    }
    add_node(t, d, c);
    nth_text_add(t, !alone && next == end ? ")" : "");
  }
}

void nth_domains_text(const struct nth_domains *d, char text[NTH_DOMAINS_TEXT]) {
  struct nth_text t = {text, NTH_DOMAINS_TEXT, 0};
  add_node(&t, d, 0);
  nth_text_end(&t);
}
