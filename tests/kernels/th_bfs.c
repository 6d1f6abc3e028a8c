/* th_bfs.c - breadth-first search level by level, threads for each level
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * "T-holder: A Custom Thread-Holding Library", Parallel Breadth First Search. For each level
 * threads are created and joined. They take pieces of the level's vertices until none is left, so
 * that hubs do not hold up the others, and claim each vertex without a distance by one atomic
 * operation. A thread gathers those that it has claimed in a buffer of its own, and copies full
 * buffers to the next level.
 *
 * Check   every distance against those of a serial search with a queue.
 */
#include "th_graph.h"
#include "th_threads.h"

enum { PIECE = 32, GATHERED = 256, UNREACHED = -1 };

struct search {
  const struct graph *g;
  int32_t *distance;
  int32_t *level, *next;
  long here;       /* vertices of this level */
  int32_t number;  /* of the next level */
  long pieces;     /* vertices of this level that are taken; all threads */
  long found;      /* vertices of the next level; all threads */
  long piece_size; /* fewer in small levels */
};

struct gathered {
  int32_t vertex[GATHERED];
  int n;
};

static void hand_over(struct search *s, struct gathered *own) {
  long at = __atomic_fetch_add(&s->found, own->n, __ATOMIC_RELAXED);
  memcpy(s->next + at, own->vertex, (size_t)own->n * sizeof *own->vertex);
  own->n = 0;
}

static void visit(struct search *s, int32_t v, struct gathered *own) {
  const struct graph *g = s->g;
  for (long a = g->first[v]; a < g->first[v + 1]; a++) {
    int32_t w = g->to[a], none = UNREACHED;
    if (__atomic_load_n(&s->distance[w], __ATOMIC_RELAXED) == UNREACHED &&
        __atomic_compare_exchange_n(&s->distance[w], &none, s->number, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
      own->vertex[own->n++] = w;
      if (own->n == GATHERED) {
        hand_over(s, own);
      }
    }
  }
}

static void *expand(void *argument) {
  struct search *s = ((const struct th_part *)argument)->shared;
  struct gathered own = {.n = 0};
  long from;
  while ((from = __atomic_fetch_add(&s->pieces, s->piece_size, __ATOMIC_RELAXED)) < s->here) {
    long end = from + s->piece_size < s->here ? from + s->piece_size : s->here;
    for (long i = from; i < end; i++) {
      visit(s, s->level[i], &own);
    }
  }
  hand_over(s, &own);
  return NULL;
}

/* Returns the number of levels. */
static long search(struct search *s, int32_t source, long threads, struct th_part *parts) {
  memset(s->distance, UNREACHED, (size_t)s->g->n * sizeof *s->distance);
  s->distance[source] = 0;
  s->level[0] = source;
  s->here = 1;
  for (s->number = 1; s->here > 0; s->number++) {
    s->pieces = s->found = 0;
    long share = s->here / (4 * threads);
    s->piece_size = share < 1 ? 1 : share < PIECE ? share : PIECE;
    th_all(s->here < threads ? s->here : threads, parts, expand, s);
    int32_t *swap = s->level;
    s->level = s->next;
    s->next = swap;
    s->here = s->found;
  }
  return s->number - 1;
}

/* ---- the rest is serial ---- */

static void search_serial(const struct graph *g, int32_t source, int32_t *distance,
                          int32_t *queue) {
  memset(distance, UNREACHED, (size_t)g->n * sizeof *distance);
  distance[source] = 0;
  queue[0] = source;
  for (long taken = 0, put = 1; taken < put; taken++) {
    int32_t v = queue[taken];
    for (long a = g->first[v]; a < g->first[v + 1]; a++) {
      int32_t w = g->to[a];
      if (distance[w] == UNREACHED) {
        distance[w] = distance[v] + 1;
        queue[put++] = w;
      }
    }
  }
}

static bool verify(const struct graph *g, const int32_t *found, const int32_t *expected,
                   uint64_t *value) {
  long wrong = 0;
  for (long v = 0; v < g->n; v++) {
    wrong += found[v] != expected[v];
    *value = *value * 31 + (uint64_t)(found[v] + 1);
  }
  return kern_check(wrong == 0, "%ld distances of %ld", wrong, g->n);
}

static int32_t *vertices(long n) { return kern_alloc((size_t)n, sizeof(int32_t)); }

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "th_bfs",
      .what = "breadth-first search, threads for each level",
      .size_means = "vertices",
      .iters_means = "searches, from one vertex each",
      .full = {1000000, 16},
      .brief = {5000, 3},
  };
  long threads = 0, degree = 8, span = LONG_MAX;
  const struct kern_option extra[] = {
      TH_OPTION_THREADS(&threads),
      {"degree", "N: arcs of a vertex, on the average (8)", &degree, NULL},
      {"span", "N: how far an arc reaches; 0: anywhere (size/100)", &span, NULL},
      {NULL, NULL, NULL, NULL},
  };
  th_options(&k, extra, &threads, argc, argv);
  kern_require(&k, k.size >= 1 && k.iters >= 1 && degree >= 1, "a size is 0");
  kern_require(&k, k.size <= INT32_MAX, "at most 2^31 - 1 vertices");
  struct graph g = graph_make(k.size, degree, span != LONG_MAX ? span : k.size / 100);
  struct search s = {.g = &g};
  s.distance = vertices(g.n);
  s.level = vertices(g.n);
  s.next = vertices(g.n);
  int32_t *expected = vertices(g.n), *queue = vertices(g.n);
  struct th_part *parts = th_parts(threads);
  bool ok = true;
  double best = INFINITY;
  uint64_t value = 0;
  long levels = 0;
  for (long rep = 0; rep < k.reps; rep++) {
    double seconds = 0;
    value = 0;
    levels = 0;
    for (long i = 0; i < k.iters; i++) {
      int32_t source = (int32_t)(kern_hash((uint64_t)i) % (uint64_t)g.n);
      double start = kern_now();
      levels += search(&s, source, threads, parts);
      seconds += kern_now() - start;
      search_serial(&g, source, expected, queue);
      ok &= verify(&g, s.distance, expected, &value);
    }
    best = fmin(best, seconds);
  }
  printf("# %ld levels in %ld searches\n", levels, k.iters);
  graph_free(&g);
  char size[64];
  snprintf(size, sizeof size, "%ldx%ld/%ld", k.size, k.iters, degree);
  return th_report("th_bfs", threads, size, best, ok, "%016llx", (unsigned long long)value);
}
