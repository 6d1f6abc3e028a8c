/* nth_matvec.c - a tall matrix times a vector of 9, by nano-threads: how small may one be?
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * matvec.h tells the experiment and its check. The master creates a nano-thread for each chunk of
 * rows, one by one or in batches, and waits with the other processors. A line a chunk size, and
 * one for the serial product; its seconds are those of one product.
 */
#include "matvec.h"
#include "nth_kernel.h"

static struct problem problem;
static double scale; /* of the product under way */

/* Chunks from .. to - 1. */
static void chunks(long from, long to) {
  long last = to * problem.chunk;
  rows_product(&problem, from * problem.chunk, last < problem.rows ? last : problem.rows, scale);
}

static void product(enum nk_variation v, const struct nk_options *o) {
  scale = product_scale(&problem);
  nk_spread(v, o, (problem.rows + problem.chunk - 1) / problem.chunk, false, chunks);
  product_done(&problem, scale);
}

/* Seconds of a product, the least of as many as fit into `budget` seconds, at least three. */
static double measure(bool serial, enum nk_variation v, const struct nk_options *o, double budget) {
  double begin = kern_now(), best = INFINITY, now = begin;
  for (int i = 0; i < 3 || now - begin < budget; i++) {
    double before = now;
    if (serial) {
      product_serial(&problem);
    } else {
      product(v, o);
    }
    now = kern_now();
    best = fmin(best, now - before);
  }
  return best;
}

static int report(const char *name, double seconds) {
  long value;
  char size[64];
  bool ok = verify(&problem, &value);
  snprintf(size, sizeof size, "%ldx%d/%ld", problem.rows, COLUMNS, problem.chunk);
  return kern_report(name, size, seconds, ok, "%ld", value);
}

/* The serial product, then one by nano-threads for each chunk size. */
static int sweep(const struct kernel *k, enum nk_variation v, const struct nk_options *o,
                 long only) {
  double budget = k->small ? 0.002 : 0.03;
  int status = KERN_OK;
  char name[32];
  problem.chunk = problem.rows;
  status |= report("nth_matvec-serial", measure(true, v, o, budget));
  nk_begin();
  snprintf(name, sizeof name, "nth_matvec-%s", nk_names[v]);
  for (int c = 0; c < (only ? 1 : CHUNKS); c++) {
    problem.chunk = only ? only : matvec_chunks[c];
    status |= report(name, measure(false, v, o, budget));
  }
  return nk_end() ? status : KERN_WRONG;
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "nth_matvec",
      .what = "matrix by vector product, granularity of nano-threads",
      .size_means = "rows of the matrix",
      .iters_means = "unused",
      .full = {45000, 1},
      .brief = {9000, 1},
  };
  struct nk_options o = {.of = 8};
  long only = 0;
  const struct kern_option extra[] = {
      NK_OPTIONS(o),
      {"chunk", "N: only this number of rows a nano-thread (1 to 11250)", &only, NULL},
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 1 && o.of >= 1 && only >= 0, "a size is 0");
  problem_init(&problem, k.size, 1);
  int status = KERN_OK;
  for (int v = NK_NATURAL; v < NK_VARIATIONS; v++) {
    if (nk_wanted(&o, (enum nk_variation)v)) {
      status |= sweep(&k, (enum nk_variation)v, &o, only);
    }
  }
  free(problem.matrix);
  free(problem.result);
  return status;
}
