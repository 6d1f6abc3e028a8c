/* th_graph.h - a directed graph made by a hash: what th_bfs and th_pagerank share
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One vertex in HUB_EVERY is a hub with HUB_TIMES as many arcs as the others, so that equal numbers
 * of vertices are not equal work. With a span an arc of vertex v leads at most that far from v, on
 * a ring: the smaller the span, the more levels has a search. Vertices have no arcs to themselves
 * but may have several to one and the same vertex.
 */
#ifndef NTH_TH_GRAPH_H
#define NTH_TH_GRAPH_H

#include "kernel.h"

enum { HUB_EVERY = 64, HUB_TIMES = 16 };

struct graph {
  long n, arcs;
  long *first; /* where the arcs of a vertex start in `to`; first[n] is `arcs` */
  int32_t *to;
};

/* `degree` arcs a vertex, some more or less. span 0: any vertex can be the other end. */
static inline struct graph graph_make(long n, long degree, long span) {
  struct graph g = {.n = n};
  g.first = kern_alloc((size_t)n + 1, sizeof *g.first);
  for (long v = 0; v < n; v++) {
    uint64_t h = kern_hash((uint64_t)v);
    long own = (long)(h % (uint64_t)(2 * degree + 1));
    g.first[v + 1] = g.first[v] + (v % HUB_EVERY == 0 ? degree * HUB_TIMES : own);
  }
  g.arcs = g.first[n];
  g.to = kern_alloc((size_t)g.arcs + 1, sizeof *g.to);
  long reach = span > 0 && 2 * span < n ? span : 0;
  for (long v = 0; v < n && n > 1; v++) {
    for (long a = g.first[v]; a < g.first[v + 1]; a++) {
      uint64_t h = kern_hash((uint64_t)(n + a));
      long step = 1 + (long)(h % (uint64_t)(reach ? 2 * reach : n - 1)); /* not 0 modulo n */
      g.to[a] = (int32_t)((v + (step > reach && reach ? n + reach - step : step)) % n);
    }
  }
  if (n == 1) {
    g.first[1] = g.arcs = 0;
  }
  return g;
}

static inline void graph_free(struct graph *g) {
  free(g->first);
  free(g->to);
}

#endif
