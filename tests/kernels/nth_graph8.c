/* nth_graph8.c - the graph of eight loops by nano-threads with successors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Experiment  that of graph8.c by nano-threads (graph8.h tells what the eight do). A nano-thread is
 *             one of T1 to T8; it makes a burst of nano-threads for its loop and blocks until they
 *             have ended. T5 to T8 are successors of those they need: the last one of these puts
 *             them into a queue, on its own processor. One cluster: all loops on all processors
 *             (Base, Stack_aff); --clusters 2 (Hier): T1, T4, T6 and T7 with their loops on the
 *             first half of the processors, the others on the second. With --domains all go into
 *             the queue of the domain that has the cluster, or the global one: the paper's router
 *             queues.
 */
#include "nth_kernel.h"

#include "graph8.h"

enum { PIECES_MOST = 256 };

static struct g8 graph;

/* What the nano-threads share. */
static struct {
  long clusters, chunks;
  bool domains;
} plan;

static struct nk_cluster cluster_of(long group) {
  return nk_cluster(plan.clusters == 1 ? 0 : group, plan.clusters);
}

/* Of a loop in a cluster. */
static long pieces_of(struct nk_cluster c) {
  long pieces = c.count * plan.chunks;
  return pieces < PIECES_MOST ? pieces : PIECES_MOST;
}

/* For a processor of the cluster, or for its domain. */
static void queue_in(struct nk_cluster c, long number, struct nth_desc *nth) {
  if (plan.domains) {
    nth_to_domain((int)c.first, nk_level(c.first, c.count), nth);
  } else {
    nth_to_lrq((int)(c.first + number % c.count), nth);
  }
}

static void multiply_piece(long turn, long vector, long from, long to) {
  g8_multiply(&graph, (int)vector, g8_factor(turn, (int)vector), from, to);
}

static void product_piece(long group, long which, long from, long to, double *sum) {
  *sum = g8_product(&graph, (int)group, (int)which, from, to);
}

/* T1 to T4 */
static void multiply_loop(long turn, long group, long vector) {
  struct nth_desc *me = nth_self();
  struct nk_cluster c = cluster_of(group);
  long pieces = pieces_of(c);
  nth_depadd(me, pieces + 1);
  for (long i = 0; i < pieces; i++) {
    queue_in(c, i,
             nth_create_ls(multiply_piece, 0, me, 4, turn, vector, graph.n * i / pieces,
                           graph.n * (i + 1) / pieces));
  }
  nth_block();
}

/* T5 to T8 */
static void product_loop(long turn, long group, long which) {
  struct nth_desc *me = nth_self();
  struct nk_cluster c = cluster_of(group);
  long pieces = pieces_of(c);
  double part[PIECES_MOST], sum = 0;
  nth_depadd(me, pieces + 1);
  for (long i = 0; i < pieces; i++) {
    queue_in(c, i,
             nth_create_ls(product_piece, 0, me, 5, group, which, graph.n * i / pieces,
                           graph.n * (i + 1) / pieces, &part[i]));
  }
  nth_block();
  for (long i = 0; i < pieces; i++) {
    sum += part[i];
  }
  *g8_dot(&graph, turn, (int)group, (int)which) = sum;
}

/* One turn: successors are made before those that they wait for. */
static void walk(long turn) {
  struct nth_desc *me = nth_self();
  nth_depadd(me, 2 * G8_GROUPS + 1);
  for (long group = 0; group < G8_GROUPS; group++) {
    struct nth_desc *product[2];
    for (long which = 0; which < 2; which++) {
      product[which] = nth_create_ls(product_loop, 2, me, 3, turn, group, which);
    }
    struct nk_cluster c = cluster_of(group);
    for (long which = 0; which < 2; which++) {
      queue_in(c, which,
               nth_create(multiply_loop, 0, 2, 3, product[0], product[1], turn, group,
                          (long)g8_vector[group][which]));
    }
  }
  nth_block();
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "nth_graph8",
      .what = "a graph of eight nano-threads, each of them a loop over a vector",
      .size_means = "elements of a vector (the paper: 2048 to 16384)",
      .iters_means = "turns through the graph",
      .full = {4096, 20000},
      .brief = {500, 60},
  };
  plan.clusters = 1;
  plan.chunks = 2;
  const struct kern_option extra[] = {
      {"clusters", "N: 1 or 2 clusters of processors (1)", &plan.clusters, NULL},
      {"domains", "nano-threads go into the queue of their cluster's domain", NULL, &plan.domains},
      {"chunks", "N: nano-threads of a loop for each processor (2)", &plan.chunks, NULL},
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 1 && k.size <= G8_SIZE_MOST && k.iters >= 1, "1 to 2^20 elements");
  kern_require(&k, plan.chunks >= 1 && plan.chunks <= 1000, "1 to 1000 chunks");
  int all = nk_begin();
  plan.clusters = plan.clusters >= 2 && all >= 2 ? 2 : 1;
  kern_require(&k, !plan.domains || nk_level(0, 1) == 0, "a library with queues of domains");
  g8_init(&graph, k.size, k.iters);
  bool ok = true;
  double best = INFINITY, checksum = 0;
  for (long rep = 0; rep < k.reps; rep++) {
    g8_forget(&graph);
    double start = kern_now();
    for (long turn = 0; turn < k.iters; turn++) {
      walk(turn);
    }
    best = fmin(best, kern_now() - start);
    ok &= g8_verify(&graph, &checksum);
  }
  ok = nk_end() && ok;
  char name[64], size[64];
  snprintf(name, sizeof name, "nth_graph8 clusters=%ld%s", plan.clusters,
           plan.domains ? " domains" : "");
  snprintf(size, sizeof size, "%ldx%ld", k.size, k.iters);
  return kern_report(name, size, best, ok, "%.0f", checksum);
}
