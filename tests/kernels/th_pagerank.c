/* th_pagerank.c - PageRank: a matrix times a vector again and again, threads for each product
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * "T-holder: A Custom Thread-Holding Library", Parallel PageRank. In each iteration threads are
 * created, each computes some entries of the product, and joined. The paper's matrix is dense; ours
 * has the entries only that are not 0. An arc of the graph from v to w says that page w has a link
 * to page v: so a row of the matrix is the list of arcs of v.
 *
 * Check   every rank, bit by bit, against a serial iteration; the sum of the ranks is 1 but for
 *         rounding; and one more iteration changes them by no more than DAMPING to the power of the
 *         number of iterations can leave. Each entry is a sum in one fixed order.
 */
#include "th_graph.h"
#include "th_threads.h"

#define DAMPING 0.85

struct ranks {
  const struct graph *g;
  long *links;           /* of each page to others */
  double *rank, *shared; /* shared: a page's rank divided by its links */
  double base;           /* what each page gets whatever its links are */
};

static void product(struct ranks *r, long from, long end) {
  const struct graph *g = r->g;
  for (long v = from; v < end; v++) {
    double sum = 0;
    for (long a = g->first[v]; a < g->first[v + 1]; a++) {
      sum += r->shared[g->to[a]];
    }
    r->rank[v] = r->base + DAMPING * sum;
  }
}

static void *product_part(void *argument) {
  const struct th_part *p = argument;
  struct ranks *r = p->shared;
  product(r, th_first(p, r->g->n), th_end(p, r->g->n));
  return NULL;
}

/* What pages give away; the rank of one without links goes to all pages. */
static void share_out(struct ranks *r) {
  double unlinked = 0;
  for (long v = 0; v < r->g->n; v++) {
    if (r->links[v] > 0) {
      r->shared[v] = r->rank[v] / (double)r->links[v];
    } else {
      unlinked += r->rank[v];
    }
  }
  r->base = (1 - DAMPING + DAMPING * unlinked) / (double)r->g->n;
}

/* threads 0: without creating any. */
static void iterate(struct ranks *r, long iterations, long threads, struct th_part *parts) {
  for (long i = 0; i < iterations; i++) {
    share_out(r);
    if (threads > 0) {
      th_all(threads, parts, product_part, r);
    } else {
      product(r, 0, r->g->n);
    }
  }
}

static void begin(struct ranks *r) {
  for (long v = 0; v < r->g->n; v++) {
    r->rank[v] = 1 / (double)r->g->n;
  }
}

/* ---- check ---- */

/* `found` has had the same number of iterations by threads. */
static bool verify(struct ranks *r, const double *found, long iterations, double *value) {
  long n = r->g->n, wrong = 0;
  begin(r);
  iterate(r, iterations, 0, NULL);
  double sum = 0, change = 0;
  *value = 0;
  for (long v = 0; v < n; v++) {
    wrong += memcmp(&found[v], &r->rank[v], sizeof found[v]) != 0;
    sum += found[v];
    *value += found[v] * (double)(v % 13 + 1);
  }
  iterate(r, 1, 0, NULL);
  for (long v = 0; v < n; v++) {
    change += fabs(r->rank[v] - found[v]);
  }
  /* Each iteration and the sum itself round n times and more; a page's sum is short. */
  double rounding = (double)(n + r->g->arcs) * 0x1p-52;
  double left = 2 * pow(DAMPING, (double)iterations) + rounding;
  bool ok = kern_check(wrong == 0, "%ld ranks of %ld differ from the serial ones", wrong, n);
  ok = kern_check(fabs(sum - 1) <= rounding, "the sum of all ranks is 1 %+g", sum - 1) && ok;
  return kern_check(change <= left, "one more iteration changes %g, not %g", change, left) && ok;
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "th_pagerank",
      .what = "PageRank, threads for each product of matrix and vector",
      .size_means = "pages",
      .iters_means = "iterations",
      .full = {200000, 400},
      .brief = {2000, 30},
  };
  long threads = 0, degree = 8;
  const struct kern_option extra[] = {
      TH_OPTION_THREADS(&threads),
      {"degree", "N: links of a page, on the average (8)", &degree, NULL},
      {NULL, NULL, NULL, NULL},
  };
  th_options(&k, extra, &threads, argc, argv);
  kern_require(&k, k.size >= 1 && degree >= 1, "a size is 0");
  kern_require(&k, k.size <= INT32_MAX, "at most 2^31 - 1 pages");
  struct graph g = graph_make(k.size, degree, 0);
  struct ranks r = {.g = &g, .rank = kern_doubles(g.n), .shared = kern_doubles(g.n)};
  double *found = kern_doubles(g.n);
  r.links = kern_alloc((size_t)g.n, sizeof *r.links);
  for (long a = 0; a < g.arcs; a++) {
    r.links[g.to[a]]++;
  }
  struct th_part *parts = th_parts(threads);
  bool ok = true;
  double best = INFINITY, value = 0;
  for (long rep = 0; rep < k.reps; rep++) {
    begin(&r);
    double start = kern_now();
    iterate(&r, k.iters, threads, parts);
    best = fmin(best, kern_now() - start);
    memcpy(found, r.rank, (size_t)g.n * sizeof *found);
    ok &= verify(&r, found, k.iters, &value);
  }
  graph_free(&g);
  char size[64];
  snprintf(size, sizeof size, "%ldx%ld/%ld", k.size, k.iters, degree);
  return th_report("th_pagerank", threads, size, best, ok, "%.17g", value);
}
