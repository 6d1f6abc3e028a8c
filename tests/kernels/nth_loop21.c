/* nth_loop21.c - Livermore loop 21, a matrix product, in nano-threads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * "Introducing Batches of Threads", section 5, figure 9: px = px + cx * vy, where px and cx have N
 * rows of 25 and vy is 25 x 25. The innermost loop, over the rows, is the one that is divided.
 * Equal leaves the loops as they are, so each processor goes 625 times over its part of both
 * arrays; with a nano-thread a row (Natural, Batch) a row is finished while it is in the cache.
 */
#include "nth_kernel.h"

enum { WIDTH = 25 };
typedef double row[WIDTH];

static row vy[WIDTH], *px, *cx;

/* Rows from .. to - 1. Each element gets its terms in the same order, whatever is divided how. */
static void units(long from, long to) {
  for (int k = 0; k < WIDTH; k++) {
    for (int i = 0; i < WIDTH; i++) {
      for (long j = from; j < to; j++) {
        px[j][i] += vy[k][i] * cx[j][k];
      }
    }
  }
}

static void fill(row *matrix, long rows, uint64_t seed) {
  for (long j = 0; j < rows; j++) {
    for (int i = 0; i < WIDTH; i++) {
      seed = kern_lcg_next(seed);
      matrix[j][i] = kern_lcg_real(seed);
    }
  }
}

/* The product, apart: row by row. */
static bool verify(const row *start, long rows, long times) {
  for (long j = 0; j < rows; j++) {
    row expected;
    memcpy(expected, start[j], sizeof expected);
    for (long turn = 0; turn < times; turn++) {
      for (int k = 0; k < WIDTH; k++) {
        for (int i = 0; i < WIDTH; i++) {
          expected[i] += vy[k][i] * cx[j][k];
        }
      }
    }
    if (!kern_check(memcmp(expected, px[j], sizeof expected) == 0, "row %ld differs", j)) {
      return false;
    }
  }
  return true;
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "nth_loop21",
      .what = "Livermore loop 21, a matrix product: many small nano-threads",
      .size_means = "rows",
      .iters_means = "times the product is added",
      .full = {200001, 5},
      .brief = {4001, 2},
  };
  struct nk_options o = {.of = 8};
  const struct kern_option extra[] = {NK_OPTION_EQUAL(o), NK_OPTIONS(o), {NULL, NULL, NULL, NULL}};
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 1 && k.iters >= 1 && o.of >= 1, "a size or count is 0");
  row *start = kern_alloc((size_t)k.size, sizeof *start);
  px = kern_alloc((size_t)k.size, sizeof *px);
  cx = kern_alloc((size_t)k.size, sizeof *cx);
  fill(vy, WIDTH, UINT64_C(271828183));
  fill(cx, k.size, UINT64_C(314159265));
  fill(start, k.size, UINT64_C(141421356));
  int status = KERN_OK;
  for (int v = 0; v < NK_VARIATIONS; v++) {
    if (!nk_wanted(&o, (enum nk_variation)v)) {
      continue;
    }
    double best = INFINITY;
    nk_begin();
    for (long rep = 0; rep < k.reps; rep++) {
      memcpy(px, start, (size_t)k.size * sizeof *px);
      double begin = kern_now();
      for (long turn = 0; turn < k.iters; turn++) {
        nk_spread((enum nk_variation)v, &o, k.size, false, units);
      }
      best = fmin(best, kern_now() - begin);
    }
    bool ok = verify(start, k.size, k.iters);
    ok = nk_end() && ok;
    char name[32], size[64];
    snprintf(name, sizeof name, "nth_loop21-%s", nk_names[v]);
    snprintf(size, sizeof size, "%ldx%ld/%ld", k.size, k.iters, v == NK_BATCH ? o.of : 1);
    status |= kern_report(name, size, best, ok, "%.17g", px[k.size - 1][WIDTH - 1]);
  }
  free(start);
  free(px);
  free(cx);
  return status;
}
