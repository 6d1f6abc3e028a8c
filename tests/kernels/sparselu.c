/* sparselu.c - sparse LU factorisation by blocks: phases of unlike tasks, each ended by a taskwait
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tasks       of each step k one for each block to the right of the diagonal and below it, a
 *             taskwait, one for each block that a pair of these changes, a taskwait. Phases and
 *             not dependences, because most programs with tasks are written so, and cholesky has
 *             the others; how many tasks a phase has depends on the pattern, from none to
 *             thousands.
 * Cut-off     none: a task is a block; --block 1 is a task for each operation on an entry.
 * Pattern     the blocks beside the diagonal and some at random; then all that fills up in the
 *             factorisation, as the symbolic step of a solver finds it out beforehand.
 * Check       L and U are known: row i, column j of L is r(i) m(j), of U m(i) c(j), where r, m, c
 *             are 1 or -1; L has ones on its diagonal and U has 1 or 2. So A needs no product of
 *             matrices; all that is computed on the way is integer and exact, and each entry of L
 *             and U must come out as it is. An update left out or made twice changes all of its
 *             block.
 */
#include "kernel.h"

enum { DENSITY = 6 }; /* percent of blocks before it fills up */

struct matrix {
  long blocks;    /* along an edge */
  long n;         /* rows of a block */
  double **block; /* blocks x blocks, row by row; NULL: all zero */
};

static double *block(const struct matrix *m, long i, long j) { return m->block[i * m->blocks + j]; }

/* ---- the operations on blocks, of n x n entries ---- */

/* d = its factors L and U, in one block. */
static void factor(double *d, long n) {
  for (long k = 0; k < n; k++) {
    for (long i = k + 1; i < n; i++) {
      d[i * n + k] /= d[k * n + k];
      for (long j = k + 1; j < n; j++) {
        d[i * n + j] -= d[i * n + k] * d[k * n + j];
      }
    }
  }
}

/* b = L^-1 b, for a block to the right of the diagonal block `d`. */
static void solve_row(double *b, const double *d, long n) {
  for (long i = 1; i < n; i++) {
    for (long k = 0; k < i; k++) {
      for (long j = 0; j < n; j++) {
        b[i * n + j] -= d[i * n + k] * b[k * n + j];
      }
    }
  }
}

/* b = b U^-1, for a block below the diagonal block `d`. */
static void solve_column(double *b, const double *d, long n) {
  for (long i = 0; i < n; i++) {
    for (long k = 0; k < n; k++) {
      b[i * n + k] /= d[k * n + k];
      for (long j = k + 1; j < n; j++) {
        b[i * n + j] -= b[i * n + k] * d[k * n + j];
      }
    }
  }
}

/* c -= a b */
static void update(double *c, const double *a, const double *b, long n) {
  for (long i = 0; i < n; i++) {
    for (long k = 0; k < n; k++) {
      for (long j = 0; j < n; j++) {
        c[i * n + j] -= a[i * n + k] * b[k * n + j];
      }
    }
  }
}

/* ---- the factorisation ---- */

static void lu_serial(const struct matrix *m) {
  for (long k = 0; k < m->blocks; k++) {
    double *d = block(m, k, k);
    factor(d, m->n);
    for (long i = k + 1; i < m->blocks; i++) {
      if (block(m, k, i)) {
        solve_row(block(m, k, i), d, m->n);
      }
      if (block(m, i, k)) {
        solve_column(block(m, i, k), d, m->n);
      }
    }
    for (long i = k + 1; i < m->blocks; i++) {
      for (long j = k + 1; block(m, i, k) && j < m->blocks; j++) {
        if (block(m, k, j)) {
          update(block(m, i, j), block(m, i, k), block(m, k, j), m->n);
        }
      }
    }
  }
}

static void lu_tasks(const struct matrix *m) {
  for (long k = 0; k < m->blocks; k++) {
    double *d = block(m, k, k);
    factor(d, m->n);
    for (long i = k + 1; i < m->blocks; i++) {
      if (block(m, k, i)) {
#pragma omp task
        solve_row(block(m, k, i), d, m->n);
      }
      if (block(m, i, k)) {
#pragma omp task
        solve_column(block(m, i, k), d, m->n);
      }
    }
#pragma omp taskwait
    for (long i = k + 1; i < m->blocks; i++) {
      for (long j = k + 1; block(m, i, k) && j < m->blocks; j++) {
        if (block(m, k, j)) {
#pragma omp task
          update(block(m, i, j), block(m, i, k), block(m, k, j), m->n);
        }
      }
    }
#pragma omp taskwait
  }
}

/* ---- the rest is serial ---- */

static bool *pattern_new(long blocks) {
  bool *used = kern_alloc((size_t)(blocks * blocks), sizeof *used);
  for (long i = 0; i < blocks; i++) {
    for (long j = 0; j < blocks; j++) {
      uint64_t random = kern_hash((uint64_t)(i * blocks + j)) % 100;
      used[i * blocks + j] = labs(i - j) <= 1 || random < DENSITY;
    }
  }
  for (long k = 0; k < blocks; k++) {
    for (long i = k + 1; i < blocks; i++) {
      for (long j = k + 1; j < blocks; j++) {
        used[i * blocks + j] |= used[i * blocks + k] && used[k * blocks + j];
      }
    }
  }
  return used;
}

static struct matrix matrix_new(long blocks, long n) {
  struct matrix m = {blocks, n, kern_alloc((size_t)(blocks * blocks), sizeof *m.block)};
  bool *used = pattern_new(blocks);
  for (long b = 0; b < blocks * blocks; b++) {
    m.block[b] = used[b] ? kern_doubles(n * n) : NULL;
  }
  free(used);
  return m;
}

/* 1 or -1; `which` of the three: r, m, c */
static double sign(long i, int which) { return kern_hash((uint64_t)i) >> which & 1 ? 1 : -1; }

/* Entry (i, j) of L below the diagonal, else of U. */
static double known(long i, long j) {
  if (i == j) {
    return 1.5 + sign(i, 3) / 2;
  }
  return i > j ? sign(i, 0) * sign(j, 1) : sign(i, 1) * sign(j, 2);
}

/* How many blocks k before both have L's block (i, k) and U's (k, j). */
static long pairs_before(const struct matrix *m, long i, long j) {
  long pairs = 0;
  for (long k = 0; k < i && k < j; k++) {
    pairs += block(m, i, k) && block(m, k, j);
  }
  return pairs;
}

/* A = L U. Of the products that make entry (i, j) all but the last are r(i) c(j). */
static void fill(const struct matrix *m) {
  for (long b = 0; b < m->blocks * m->blocks; b++) {
    long top = b / m->blocks * m->n, left = b % m->blocks * m->n;
    long before = m->n * pairs_before(m, b / m->blocks, b % m->blocks);
    for (long e = 0; m->block[b] && e < m->n * m->n; e++) {
      long i = top + e / m->n, j = left + e % m->n, last = i < j ? i : j;
      double others = (double)(before + last % m->n) * sign(i, 0) * sign(j, 2);
      m->block[b][e] = others + known(i, j) * (i > j ? known(j, j) : 1);
    }
  }
}

static bool verify(const struct matrix *m, double *value) {
  long wrong = 0;
  *value = 0;
  for (long b = 0; b < m->blocks * m->blocks; b++) {
    long top = b / m->blocks * m->n, left = b % m->blocks * m->n;
    for (long e = 0; m->block[b] && e < m->n * m->n; e++) {
      wrong += m->block[b][e] != known(top + e / m->n, left + e % m->n);
      *value += m->block[b][e] * (double)((b + 3 * e) % 13 + 1);
    }
  }
  return kern_check(wrong == 0, "%ld entries of L and U", wrong);
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "sparselu",
      .what = "sparse LU factorisation by blocks, phases of tasks",
      .size_means = "blocks along an edge",
      .iters_means = "matrices, one after the other",
      .full = {60, 3},
      .brief = {20, 1},
  };
  long rows = 0;
  bool serial = false;
  const struct kern_option extra[] = {
      {"block", "N: rows of a block (40; 8 with --small)", &rows, NULL},
      KERN_SERIAL(&serial),
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 1 && k.iters >= 1, "at least one block");
  rows = rows > 0 ? rows : (k.small ? 8 : 40);

  struct matrix m = matrix_new(k.size, rows);
  kern_warm(serial);
  bool ok = true;
  double best = INFINITY, value = 0;
  for (long rep = 0; rep < k.reps; rep++) {
    double seconds = 0;
    for (long i = 0; i < k.iters; i++) {
      fill(&m);
      double start = kern_now();
      if (serial) {
        lu_serial(&m);
      } else {
#pragma omp parallel
#pragma omp single
        lu_tasks(&m);
      }
      seconds += kern_now() - start;
      ok &= verify(&m, &value);
    }
    best = fmin(best, seconds);
  }
  char size[64];
  snprintf(size, sizeof size, "%ld^2x%ld/%ld", k.size, k.iters, rows);
  return kern_report(serial ? "sparselu-serial" : "sparselu", size, best, ok, "%.0f", value);
}
