/* domains_make.c - makes the tree of memory domains of a machine's survey
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kinds of objects are tried in turn, from the one with the fewest objects to the one with the
 * most. A kind splits a node if the node's CPUs are in more than one of its objects, and at least
 * two of them in the same object. A CPU alone is no domain: its member has a queue anyway. A kind
 * that does not split a node is left out there, so branches may have different depths: a fast core
 * with two threads beside a cluster of four slow cores.
 */
#include <string.h>

#include "runtime/base/check.h"
#include "runtime/place/domains/domains.h"

struct making {
  struct nth_domains *d;
  const struct nth_survey *s;
  uint8_t level[NTH_SHARES]; /* the kinds, the coarsest first */
  uint32_t levels;
  bool full; /* more nodes than there is room for */
};

/* How many CPUs from `at` on are in the same object as the one at `at`. */
static uint32_t run(const struct nth_survey *s, uint32_t kind, uint32_t at, uint32_t end) {
  uint32_t p = at + 1;
  while (p < end && s->shared[kind][p] == s->shared[kind][at])
    p++;
  return p - at;
}

static uint32_t runs(const struct nth_survey *s, uint32_t kind) {
  uint32_t n = 0;
  for (uint32_t p = 0; p < s->count; p += run(s, kind, p, s->count))
    n++;
  return n;
}

static bool splits(const struct nth_survey *s, uint32_t kind, uint32_t first, uint32_t end) {
  bool several = run(s, kind, first, end) < end - first, shared = false;
  for (uint32_t p = first, n; p < end; p += n) {
    n = run(s, kind, p, end);
    shared = shared || n > 1;
  }
  return several && shared;
}

/* Sorts the kinds by their number of objects; equal ones stay in order. */
static void sort_levels(struct making *m) {
  uint32_t count[NTH_SHARES];
  for (uint32_t k = 0; k < NTH_SHARES; k++) {
    uint32_t at = m->levels++, n = runs(m->s, k);
    for (; at > 0 && count[at - 1] > n; at--) {
      count[at] = count[at - 1];
      m->level[at] = m->level[at - 1];
    }
    count[at] = n;
    m->level[at] = (uint8_t)k;
  }
}

/* Sets a node's names: the kinds that have an object of exactly its CPUs. */
static void name(const struct nth_survey *s, struct nth_domain *node) {
  uint32_t end = node->first + node->count;
  for (uint32_t k = NTH_SHARES; k-- > 0;) {
    const uint32_t *id = s->shared[k];
    bool ours = id[node->first] != NTH_SHARE_NONE && run(s, k, node->first, end) == node->count &&
                (node->first == 0 || id[node->first - 1] != id[node->first]) &&
                (end == s->count || id[end] != id[node->first]);
    if (ours) {
      node->shares |= (uint8_t)(1u << k);
      node->number = (uint16_t)id[node->first];
    }
  }
}

static void grow(struct making *m, uint32_t parent, uint32_t level, uint32_t first,
                 uint32_t count) {
  struct nth_domains *d = m->d;
  if (d->count == NTH_DOMAINS_MOST) {
    m->full = true;
    return;
  }
  uint32_t k = d->count++;
  struct nth_domain *node = &d->node[k];
  *node = (struct nth_domain){.parent = (uint16_t)parent, .leaf = (uint16_t)d->leaves};
  node->depth = (uint16_t)(k == 0 ? 0 : d->node[parent].depth + 1);
  node->first = first;
  node->count = count;
  name(m->s, node);
  while (level < m->levels && !splits(m->s, m->level[level], first, first + count))
    level++;
  if (level == m->levels || node->depth + 1 == NTH_DOMAIN_LEVELS) {
    d->leaves++;
  } else {
    for (uint32_t p = first, n; p < first + count && !m->full; p += n) {
      n = run(m->s, m->level[level], p, first + count);
      grow(m, k, level + 1, p, n);
    }
  }
  node->end = (uint16_t)d->count;
}

void nth_domains_make(struct nth_domains *d, const struct nth_survey *s) {
  struct making m = {.d = d, .s = s};
  nth_assert(s->count > 0);
  sort_levels(&m);
  do { /* too many domains: again without the finest kind */
    memset(d, 0, sizeof *d);
    m.full = false;
    grow(&m, 0, 0, 0, s->count);
  } while (m.full && m.levels-- > 0);
  nth_assert_valid(nth_domains_valid(d));
}
