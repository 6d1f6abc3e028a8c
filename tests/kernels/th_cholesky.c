/* th_cholesky.c - Cholesky factorisation A = L L^T, column by column, threads for each column
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * "T-holder: A Custom Thread-Holding Library", Parallel Cholesky Factorization. The columns of L
 * are found from left to right. Of column j first the diagonal entry; then threads are created,
 * each of which finds some of the entries below it, and joined. A column gets one thread for each
 * `--grain` multiplications and `--threads` at most; with one only, the calling thread does it.
 * --grain 0 creates all of them for every column.
 *
 * Check   L L^T is computed and compared with A entry by entry: sums of products of k + 2 roundings
 *         differ by at most gamma(k + 2) |L| |L|^T (Higham, Accuracy and Stability of Numerical
 *         Algorithms, theorem 10.3), twice as much for the check's own rounding. Each entry of L is
 *         computed in one fixed way, so the value has all digits.
 */
#include "th_threads.h"

struct matrix {
  double *entry; /* row by row; the factor takes the place of the lower triangle */
  long n;
  long column; /* that is being found */
};

/* The first k entries of row i times those of row j. */
static double dot(const struct matrix *m, long i, long j, long k) {
  const double *a = m->entry + i * m->n, *b = m->entry + j * m->n;
  double sum = 0;
  for (long c = 0; c < k; c++) {
    sum += a[c] * b[c];
  }
  return sum;
}

/* A part of the entries below the diagonal. */
static void *below(void *argument) {
  const struct th_part *p = argument;
  const struct matrix *m = p->shared;
  long j = m->column, rows = m->n - j - 1, end = j + 1 + th_end(p, rows);
  double diagonal = m->entry[j * m->n + j];
  for (long i = j + 1 + th_first(p, rows); i < end; i++) {
    double *e = &m->entry[i * m->n + j];
    *e = (*e - dot(m, i, j, j)) / diagonal;
  }
  return NULL;
}

static void factor(struct matrix *m, long threads, long grain, struct th_part *parts) {
  for (long j = 0; j < m->n; j++) {
    double *d = &m->entry[j * m->n + j];
    *d = sqrt(*d - dot(m, j, j, j));
    long rows = m->n - j - 1, pay = grain > 0 ? rows * (j + 1) / grain : rows;
    pay = pay < threads ? pay : threads;
    pay = pay < rows ? pay : rows;
    m->column = j;
    if (pay > 1 || (pay == 1 && grain == 0)) {
      th_all(pay, parts, below, m);
    } else if (rows > 0) {
      parts[0] = (struct th_part){0, 1, m};
      below(&parts[0]);
    }
  }
}

/* ---- the rest is serial ---- */

/* Symmetric; each diagonal entry is larger than the rest of its row, so it is positive definite. */
static double made(long i, long j, long n, long turn) {
  uint64_t place = (uint64_t)((turn * n + (i > j ? i : j)) * n + (i > j ? j : i));
  double random = kern_lcg_real(kern_hash(place) & KERN_LCG_MASK);
  return i == j ? (double)n * (1 + random) : 2 * random - 1;
}

static void fill(const struct matrix *m, long turn) {
  for (long i = 0; i < m->n; i++) {
    for (long j = 0; j < m->n; j++) {
      m->entry[i * m->n + j] = made(i, j, m->n, turn);
    }
  }
}

static bool verify(const struct matrix *m, long turn, double *value) {
  long wrong = 0;
  double worst = 0;
  for (long i = 0; i < m->n; i++) {
    for (long j = 0; j <= i; j++) {
      double a = made(i, j, m->n, turn), sum = 0, all = fabs(a);
      for (long k = 0; k <= j; k++) {
        double product = m->entry[i * m->n + k] * m->entry[j * m->n + k];
        sum += product;
        all += fabs(product);
      }
      double u = (double)(j + 3) * 0x1p-53, bound = 2 * u / (1 - u) * all;
      worst = fmax(worst, fabs(sum - a) / bound);
      wrong += !(fabs(sum - a) <= bound);
      *value += m->entry[i * m->n + j] * (double)((i + 3 * j) % 13 + 1);
    }
  }
  return kern_check(wrong == 0, "%ld entries of L L^T are not those of A (%g of the bound)", wrong,
                    worst);
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "th_cholesky",
      .what = "Cholesky factorisation by columns, threads for each column",
      .size_means = "rows",
      .iters_means = "matrices, one after the other",
      .full = {1200, 6},
      .brief = {150, 2},
  };
  long threads = 0, grain = LONG_MAX;
  const struct kern_option extra[] = {
      TH_OPTION_THREADS(&threads),
      {"grain", "N: multiplications for which a thread pays (20000; 500 with --small)", &grain,
       NULL},
      {NULL, NULL, NULL, NULL},
  };
  th_options(&k, extra, &threads, argc, argv);
  kern_require(&k, k.size >= 1 && k.iters >= 1, "a size is 0");
  grain = grain != LONG_MAX ? grain : k.small ? 500 : 20000;

  struct matrix m = {kern_doubles(k.size * k.size), k.size, 0};
  struct th_part *parts = th_parts(threads);
  bool ok = true;
  double best = INFINITY, value = 0;
  for (long rep = 0; rep < k.reps; rep++) {
    double seconds = 0;
    value = 0;
    for (long i = 0; i < k.iters; i++) {
      fill(&m, i);
      double start = kern_now();
      factor(&m, threads, grain, parts);
      seconds += kern_now() - start;
      ok &= verify(&m, i, &value);
    }
    best = fmin(best, seconds);
  }
  free(parts);
  free(m.entry);
  char size[64];
  snprintf(size, sizeof size, "%ldx%ld", k.size, k.iters);
  return th_report("th_cholesky", threads, size, best, ok, "%.17g", value);
}
