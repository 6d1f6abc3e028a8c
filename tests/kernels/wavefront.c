/* wavefront.c - N x N cells, each after two neighbours: many small dependences
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tasks       one a cell, depend(in) on its two neighbours and depend(out) on itself; all are made
 *             by one thread, row by row. A taskwait ends a sweep.
 * Cut-off     none: the size of a task is --cost.
 * Cells       cell = above + left modulo a prime, and the border has the number of the sweep, so
 *             that a neighbour read too early still has another sweep's value.
 * Check       the last sweep against Pascal's triangle: cell (i, j) is the border's number times
 *             (i + j)! / (i! j!), by factorials and their inverses modulo the prime.
 */
#include "kernel.h"

enum { MAX_SIZE = 10000 };
static const uint64_t PRIME = (UINT64_C(1) << 31) - 1;

struct grid {
  long size;      /* cells along an edge, without the border */
  long width;     /* of a row in memory: size + 1 */
  long turns;     /* the work of a cell */
  uint64_t *cell; /* (size + 1)^2; row 0 and column 0 are the border */
};

/* Dependent multiplications: so long takes CPU time, whoever shares the CPU. */
static void work(long turns) {
  uint64_t x = 1;
  for (long i = 0; i < turns; i++) {
    x = x * UINT64_C(0x6a09e667f3bcc909) + 1;
    __asm__ volatile("" : "+r"(x));
  }
}

/* Turns that take `ns`: by the fastest of some tries, for a disturbed one is too slow. */
static long turns_of(long ns) {
  const long tried = 200000;
  double least = INFINITY;
  for (int i = 0; i < 20; i++) {
    double start = kern_now();
    work(tried);
    least = fmin(least, kern_now() - start);
  }
  return lround(1e-9 * (double)ns / least * (double)tried);
}

static void compute(const struct grid *g, uint64_t *cell) {
  work(g->turns);
  *cell = (*(cell - g->width) + *(cell - 1)) % PRIME;
}

static void set_border(const struct grid *g, uint64_t number) {
  for (long i = 0; i <= g->size; i++) {
    g->cell[i] = g->cell[i * g->width] = number;
  }
}

static void sweep_serial(const struct grid *g) {
  for (long i = 1; i <= g->size; i++) {
    for (long j = 1; j <= g->size; j++) {
      compute(g, g->cell + i * g->width + j);
    }
  }
}

static void sweep_tasks(const struct grid *g) {
  for (long i = 1; i <= g->size; i++) {
    for (long j = 1; j <= g->size; j++) {
      uint64_t *cell = g->cell + i * g->width + j, *above = cell - g->width, *left = cell - 1;
#pragma omp task depend(in : *above, *left) depend(out : *cell)
      compute(g, cell);
    }
  }
#pragma omp taskwait
}

/* base^exponent modulo the prime */
static uint64_t power(uint64_t base, uint64_t exponent) {
  uint64_t product = 1;
  for (; exponent; exponent >>= 1) {
    product = exponent & 1 ? product * base % PRIME : product;
    base = base * base % PRIME;
  }
  return product;
}

/* What makes Pascal's triangle: n! and its inverse, for n up to twice the grid's size. */
struct factorials {
  uint64_t *of, *inverse;
};

static struct factorials factorials_new(long last) {
  struct factorials f = {kern_alloc((size_t)last + 1, sizeof *f.of),
                         kern_alloc((size_t)last + 1, sizeof *f.inverse)};
  f.of[0] = f.inverse[0] = 1;
  for (long n = 1; n <= last; n++) {
    f.of[n] = f.of[n - 1] * (uint64_t)n % PRIME;
    f.inverse[n] = power(f.of[n], PRIME - 2);
  }
  return f;
}

/* Cell (i, j) of the sweep with this number. */
static uint64_t known(const struct factorials *f, long sweep, long i, long j) {
  uint64_t paths = f->of[i + j] * f->inverse[i] % PRIME * f->inverse[j] % PRIME;
  return (uint64_t)sweep * paths % PRIME;
}

static bool verify(const struct grid *g, const struct factorials *f, long sweep) {
  long wrong = 0;
  for (long i = 0; i <= g->size; i++) {
    for (long j = 0; j <= g->size; j++) {
      wrong += g->cell[i * g->width + j] != known(f, sweep, i, j);
    }
  }
  return kern_check(wrong == 0, "%ld of %ld x %ld cells", wrong, g->size, g->size);
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "wavefront",
      .what = "cells that depend on those above and to the left, a task a cell",
      .size_means = "cells along an edge, at most 10000",
      .iters_means = "sweeps, one after the other",
      .full = {80, 400},
      .brief = {40, 5},
  };
  long cost = 900;
  bool serial = false;
  const struct kern_option extra[] = {
      {"cost", "NS: the work of a cell in nanoseconds (900)", &cost, NULL},
      KERN_SERIAL(&serial),
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 1 && k.size <= MAX_SIZE && k.iters >= 1, "1 to 10000 cells");

  struct grid g = {.size = k.size, .width = k.size + 1, .turns = turns_of(cost)};
  g.cell = kern_alloc((size_t)(g.width * g.width), sizeof *g.cell);
  const uint64_t *last = g.cell + g.width * g.width - 1;
  struct factorials f = factorials_new(2 * k.size);
  kern_warm(serial);
  bool ok = true;
  double best = INFINITY;
  for (long rep = 0; rep < k.reps; rep++) {
    long wrong = 0;
    double start = kern_now();
    if (serial) {
      for (long sweep = 1; sweep <= k.iters; sweep++) {
        set_border(&g, (uint64_t)sweep);
        sweep_serial(&g);
        wrong += *last != known(&f, sweep, k.size, k.size);
      }
    } else {
#pragma omp parallel
#pragma omp single
      for (long sweep = 1; sweep <= k.iters; sweep++) {
        set_border(&g, (uint64_t)sweep);
        sweep_tasks(&g);
        wrong += *last != known(&f, sweep, k.size, k.size);
      }
    }
    best = fmin(best, kern_now() - start);
    ok &= kern_check(wrong == 0, "%ld of %ld sweeps end with a wrong cell", wrong, k.iters);
    ok &= verify(&g, &f, k.iters);
  }
  char size[64];
  snprintf(size, sizeof size, "%ld^2x%ld/%ldns", k.size, k.iters, cost);
  return kern_report(serial ? "wavefront-serial" : "wavefront", size, best, ok, "%lu", *last);
}
