/* graph8.c - a graph of eight tasks, each of them a parallel loop, walked many times
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Experiment  graph8.h tells what the eight do. Base and Stack_aff: one level, all members work on
 *             all loops, with NTH_POOL=central and NTH_POOL=local. Hier: two clusters, an inner
 *             team each, one for T1, T4, T6 and T7, the other one for T2, T3, T5 and T8
 *             (NTH_POOL=hier). With 1xI both halves are in one inner team; clusters beyond two have
 *             nothing to do.
 * Tasks       one for each T, with dependences on the vectors; its loop is a taskloop, for the dot
 *             products with a reduction. A turn ends with a taskwait.
 *             nth_graph8 is the same by nano-threads.
 */
#include "graph8.h"
#include "levels.h"

struct job {
  const struct g8 *g;
  long pieces; /* tasks of a loop */
};

static void multiply_loop(const struct job *j, long turn, int vector) {
  double factor = g8_factor(turn, vector);
  long n = j->g->n, pieces = j->pieces;
#pragma omp taskloop grainsize(1)
  for (long piece = 0; piece < pieces; piece++) {
    g8_multiply(j->g, vector, factor, n * piece / pieces, n * (piece + 1) / pieces);
  }
}

static void product_loop(const struct job *j, long turn, int group, int which) {
  double sum = 0;
  long n = j->g->n, pieces = j->pieces;
#pragma omp taskloop grainsize(1) reduction(+ : sum)
  for (long piece = 0; piece < pieces; piece++) {
    sum += g8_product(j->g, group, which, n * piece / pieces, n * (piece + 1) / pieces);
  }
  *g8_dot(j->g, turn, group, which) = sum;
}

/* The four tasks of a group. */
static void group_tasks(const struct job *j, long turn, int group) {
  double *one = j->g->out[g8_vector[group][0]], *other = j->g->out[g8_vector[group][1]];
  (void)one, (void)other; /* gcc 12 does not see them in the clauses */
#pragma omp task depend(out : one[0])
  multiply_loop(j, turn, g8_vector[group][0]);
#pragma omp task depend(out : other[0])
  multiply_loop(j, turn, g8_vector[group][1]);
  for (int which = 0; which < 2; which++) {
#pragma omp task depend(in : one[0], other[0])
    product_loop(j, turn, group, which);
  }
}

/* All turns of the groups from .. to - 1, by one member of the calling team; the others help. */
static void walk(const struct job *j, int from, int to) {
#pragma omp single
  for (long turn = 0; turn < j->g->turns; turn++) {
    for (int group = from; group < to; group++) {
      group_tasks(j, turn, group);
    }
#pragma omp taskwait
  }
}

static void run(const struct job *j, struct lv_split split) {
  if (split.outer == 0) {
#pragma omp parallel
    walk(j, 0, G8_GROUPS);
    return;
  }
  int clusters = split.outer < G8_GROUPS ? split.outer : G8_GROUPS, each = G8_GROUPS / clusters;
#pragma omp parallel for schedule(static, 1) num_threads(split.outer)
  for (int cluster = 0; cluster < clusters; cluster++) {
#pragma omp parallel num_threads(split.inner)
    walk(j, cluster * each, (cluster + 1) * each);
  }
}

/* pieces: of a loop, 0: chunks for each member. */
static int measure(const struct kernel *k, const struct g8 *g, struct lv_split split, long chunks,
                   long pieces) {
  int team = split.outer == 0 ? kern_threads() : split.inner;
  struct job job = {g, pieces != 0 ? pieces : chunks * team};
  bool ok = true;
  double best = INFINITY, checksum = 0;
  for (long rep = 0; rep < k->reps; rep++) {
    g8_forget(g);
    double start = kern_now();
    run(&job, split);
    best = fmin(best, kern_now() - start);
    ok &= g8_verify(g, &checksum);
  }
  char name[64], size[64];
  snprintf(size, sizeof size, "%ldx%ld", g->n, g->turns);
  return kern_report(lv_name(name, "graph8", split), size, best, ok, "%.0f", checksum);
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "graph8",
      .what = "a graph of eight tasks, each of them a loop over a vector",
      .size_means = "elements of a vector (the paper: 2048 to 16384)",
      .iters_means = "turns through the graph",
      .full = {4096, 20000},
      .brief = {500, 40},
  };
  long chunks = 2, pieces = 0;
  struct lv_options levels = {0};
  const struct kern_option extra[] = {
      LV_OPTIONS(levels),
      {"chunks", "N: tasks of a loop for each member (2)", &chunks, NULL},
      {"pieces", "N: tasks of a loop, whatever the members", &pieces, NULL},
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 1 && k.size <= G8_SIZE_MOST && k.iters >= 1, "1 to 2^20 elements");
  kern_require(&k, chunks >= 1 && chunks <= 1000, "1 to 1000 chunks");
  kern_require(&k, pieces >= 0 && pieces <= 1000000, "0 to 1000000 pieces");
  levels.one_level |= levels.outer == 0 && levels.inner == 0 && !levels.splits;
  struct lv_split plan[LV_MOST];
  int count = lv_plan(&k, &levels, G8_GROUPS, plan), status = KERN_OK;
  static struct g8 g; /* static: what is still there at the end is no leak */
  g8_init(&g, k.size, k.iters);
  for (int i = 0; i < count; i++) {
    status |= measure(&k, &g, plan[i], chunks, pieces);
  }
  return status;
}
