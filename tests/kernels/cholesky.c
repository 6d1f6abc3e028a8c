/* cholesky.c - tiled Cholesky factorisation A = L L^T: a graph of tasks by depend
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tasks       of each step k one for the diagonal tile, one a tile below it, one a tile of the
 *             rest of the matrix. Nothing waits but the region's end: dependences order the steps,
 *             which overlap. One thread makes all the tasks, in the order of the serial program.
 * Cut-off     none: a task is a tile; --tile 1 is a task for each operation on an entry.
 * Check       L is known: 1 or 2 on the diagonal and row i, column j below it r(i) c(j), where r
 *             and c are 1 or -1. So A needs no product of matrices; all that is computed on the
 *             way is integer and exact, and each entry of L must come out as it is. An update left
 *             out or made twice changes every entry of its tile.
 */
#include "kernel.h"

struct matrix {
  long tiles;    /* along an edge */
  long n;        /* rows of a tile */
  double *entry; /* tile by tile, row by row: tiles x tiles, each n x n */
};

static double *tile(const struct matrix *m, long i, long j) {
  return m->entry + (i * m->tiles + j) * m->n * m->n;
}

/* ---- the operations on tiles, of n x n entries ---- */

/* d = its Cholesky factor; what is above the diagonal is not touched. */
static void factor(double *d, long n) {
  for (long j = 0; j < n; j++) {
    for (long k = 0; k < j; k++) {
      d[j * n + j] -= d[j * n + k] * d[j * n + k];
    }
    d[j * n + j] = sqrt(d[j * n + j]);
    for (long i = j + 1; i < n; i++) {
      for (long k = 0; k < j; k++) {
        d[i * n + j] -= d[i * n + k] * d[j * n + k];
      }
      d[i * n + j] /= d[j * n + j];
    }
  }
}

/* b = b d^-T, where d is the factor of the diagonal tile above. */
static void solve(double *b, const double *d, long n) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < n; j++) {
      double sum = b[i * n + j];
      for (long k = 0; k < j; k++) {
        sum -= b[i * n + k] * d[j * n + k];
      }
      b[i * n + j] = sum / d[j * n + j];
    }
  }
}

/* c -= a b^T */
static void update(double *c, const double *a, const double *b, long n) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < n; j++) {
      double sum = 0;
      for (long k = 0; k < n; k++) {
        sum += a[i * n + k] * b[j * n + k];
      }
      c[i * n + j] -= sum;
    }
  }
}

/* ---- the factorisation ---- */

static void cholesky_serial(const struct matrix *m) {
  for (long k = 0; k < m->tiles; k++) {
    factor(tile(m, k, k), m->n);
    for (long i = k + 1; i < m->tiles; i++) {
      solve(tile(m, i, k), tile(m, k, k), m->n);
    }
    for (long i = k + 1; i < m->tiles; i++) {
      for (long j = k + 1; j <= i; j++) {
        update(tile(m, i, j), tile(m, i, k), tile(m, j, k), m->n);
      }
    }
  }
}

static void cholesky_tasks(const struct matrix *m) {
  for (long k = 0; k < m->tiles; k++) {
    double *d = tile(m, k, k);
#pragma omp task depend(inout : *d)
    factor(d, m->n);
    for (long i = k + 1; i < m->tiles; i++) {
      double *b = tile(m, i, k);
#pragma omp task depend(in : *d) depend(inout : *b)
      solve(b, d, m->n);
    }
    for (long i = k + 1; i < m->tiles; i++) {
      for (long j = k + 1; j <= i; j++) {
        double *a = tile(m, i, k), *b = tile(m, j, k), *c = tile(m, i, j);
#pragma omp task depend(in : *a, *b) depend(inout : *c)
        update(c, a, b, m->n);
      }
    }
  }
}

/* ---- the rest is serial ---- */

/* 1 or -1 */
static double sign(long i, int which) { return kern_hash((uint64_t)i) >> which & 1 ? 1 : -1; }

static double known(long i, long j) {
  return i == j ? 1.5 + sign(i, 2) / 2 : sign(i, 0) * sign(j, 1);
}

/* Row i of L times row j, j <= i: the first j products are all sign(i, 0) sign(j, 0). */
static double product(long i, long j) {
  return (double)j * sign(i, 0) * sign(j, 0) + known(i, j) * known(j, j);
}

/* Entry (i, j) of the whole matrix. */
static double *entry_at(const struct matrix *m, long i, long j) {
  return tile(m, i / m->n, j / m->n) + i % m->n * m->n + j % m->n;
}

static void fill(const struct matrix *m) {
  for (long i = 0; i < m->tiles * m->n; i++) {
    for (long j = 0; j <= i; j++) {
      *entry_at(m, i, j) = product(i, j);
    }
  }
}

static bool verify(const struct matrix *m, double *value) {
  long wrong = 0;
  *value = 0;
  for (long i = 0; i < m->tiles * m->n; i++) {
    for (long j = 0; j <= i; j++) {
      double found = *entry_at(m, i, j);
      wrong += found != known(i, j);
      *value += found * (double)((i + 3 * j) % 13 + 1);
    }
  }
  return kern_check(wrong == 0, "%ld entries of L", wrong);
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "cholesky",
      .what = "tiled Cholesky factorisation, tasks with dependences",
      .size_means = "tiles along an edge",
      .iters_means = "matrices, one after the other",
      .full = {32, 4},
      .brief = {12, 1},
  };
  long rows = 0;
  bool serial = false;
  const struct kern_option extra[] = {
      {"tile", "N: rows of a tile (64; 8 with --small)", &rows, NULL},
      KERN_SERIAL(&serial),
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 1 && k.iters >= 1, "at least one tile");
  rows = rows > 0 ? rows : (k.small ? 8 : 64);

  struct matrix m = {k.size, rows, kern_doubles(k.size * k.size * rows * rows)};
  kern_warm(serial);
  bool ok = true;
  double best = INFINITY, value = 0;
  for (long rep = 0; rep < k.reps; rep++) {
    double seconds = 0;
    for (long i = 0; i < k.iters; i++) {
      fill(&m);
      double start = kern_now();
      if (serial) {
        cholesky_serial(&m);
      } else {
#pragma omp parallel
#pragma omp single
        cholesky_tasks(&m);
      }
      seconds += kern_now() - start;
      ok &= verify(&m, &value);
    }
    best = fmin(best, seconds);
  }
  char size[64];
  snprintf(size, sizeof size, "%ld^2x%ld/%ld", k.size, k.iters, rows);
  return kern_report(serial ? "cholesky-serial" : "cholesky", size, best, ok, "%.0f", value);
}
