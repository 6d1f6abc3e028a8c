/* cg.c - NAS-style CG: inverse power iteration with conjugate gradients on a sparse random matrix
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernel      the loop of the NAS report RNR-94-007 (outer steps, each one CG solve of 25
 *             iterations and a new eigenvalue estimate zeta), on a matrix of our own: symmetric,
 *             random pattern, diagonally dominant with an excess of at least GAP.
 * OpenMP      one parallel region around everything; inside it only orphaned work shares: a solve
 *             is about 130 loops, 51 of them with a reduction, and 230 barriers.
 * Check       the residual of the last solve, computed apart without OpenMP; zeta of the first
 *             outer steps (all, with --small) against the same steps on one thread, and never
 *             below the bound that Gershgorin gives. Sums are reductions, so their last digits
 *             depend on the order of the threads: values agree to 1e-10, ten digits are printed.
 */
#include "kernel.h"

enum { PAIRS_PER_ROW = 6, SOLVE_ITERATIONS = 25 };

static const double SHIFT = 10; /* added to the eigenvalue, as NAS does */
static const double GAP = 0.1;  /* the matrix minus GAP times identity is still semi-definite */

struct matrix {
  long n;
  long *first; /* n + 1 starts of rows in column/value */
  long *column;
  double *value;
};

struct solver {
  struct matrix a;
  double *x, *z, *p, *q, *r; /* as NAS names them */
  double *zeta;              /* one an outer step */
};

/* Targets of the reductions of the whole team. */
static double team_sum;
static double team_norm;

/* ---- the matrix ---- */

/* Entry `k` of the list of symmetric pairs: row, another column, weight. */
static void pair_at(const struct matrix *a, long k, long *row, long *column, double *weight) {
  uint64_t state = kern_lcg_jump(314159265, (uint64_t)(2 * k));
  *row = k / PAIRS_PER_ROW;
  state = kern_lcg_next(state);
  *column = (long)(kern_lcg_real(state) * (double)(a->n - 1));
  *column += *column >= *row; /* never the diagonal */
  state = kern_lcg_next(state);
  *weight = 2 * kern_lcg_real(state) - 1;
}

static void entry_add(struct matrix *a, long *used, long row, long column, double value) {
  long at = a->first[row] + used[row]++;
  a->column[at] = column;
  a->value[at] = value;
}

static void matrix_init(struct matrix *a, long n) {
  long *used = kern_alloc((size_t)n, sizeof *used), row, column;
  double *dominance = kern_doubles(n), weight;
  a->n = n;
  a->first = kern_alloc((size_t)n + 1, sizeof *a->first);
  for (long k = 0; k < n * PAIRS_PER_ROW; k++) {
    pair_at(a, k, &row, &column, &weight);
    a->first[row + 1]++;
    a->first[column + 1]++;
    dominance[row] += fabs(weight);
    dominance[column] += fabs(weight);
  }
  for (long i = 0; i < n; i++) {
    a->first[i + 1] += a->first[i] + 1; /* and the diagonal */
  }
  a->column = kern_alloc((size_t)a->first[n], sizeof *a->column);
  a->value = kern_doubles(a->first[n]);
  for (long i = 0; i < n; i++) {
    entry_add(a, used, i, i, dominance[i] + GAP + (double)(i % 100) / 100);
  }
  for (long k = 0; k < n * PAIRS_PER_ROW; k++) {
    pair_at(a, k, &row, &column, &weight);
    entry_add(a, used, row, column, weight);
    entry_add(a, used, column, row, weight);
  }
  free(used);
  free(dominance);
}

static double row_product(const struct matrix *a, long row, const double *vector) {
  double sum = 0;
  for (long at = a->first[row]; at < a->first[row + 1]; at++) {
    sum += a->value[at] * vector[a->column[at]];
  }
  return sum;
}

/* ---- called by every member of the team ---- */

static double team_dot(const double *a, const double *b, long n) {
#pragma omp single
  team_sum = 0;
#pragma omp for schedule(static) reduction(+ : team_sum)
  for (long i = 0; i < n; i++) {
    team_sum += a[i] * b[i];
  }
  double sum = team_sum;
#pragma omp barrier /* before anyone clears it for the next one */
  return sum;
}

/* z = about A^-1 x, by SOLVE_ITERATIONS conjugate gradient steps from zero. */
static void team_solve(struct solver *s) {
  long n = s->a.n;
#pragma omp for schedule(static)
  for (long i = 0; i < n; i++) {
    s->z[i] = 0;
    s->r[i] = s->x[i];
    s->p[i] = s->x[i];
  }
  double rho = team_dot(s->r, s->r, n);
  for (int iteration = 0; iteration < SOLVE_ITERATIONS; iteration++) {
#pragma omp for schedule(static)
    for (long i = 0; i < n; i++) {
      s->q[i] = row_product(&s->a, i, s->p);
    }
    double alpha = rho / team_dot(s->p, s->q, n);
#pragma omp for schedule(static)
    for (long i = 0; i < n; i++) {
      s->z[i] += alpha * s->p[i];
      s->r[i] -= alpha * s->q[i];
    }
    double next_rho = team_dot(s->r, s->r, n), beta = next_rho / rho;
    rho = next_rho;
#pragma omp for schedule(static)
    for (long i = 0; i < n; i++) {
      s->p[i] = s->r[i] + beta * s->p[i];
    }
  }
}

/* From a unit vector, `outer` times: z = A^-1 x, zeta = SHIFT + 1 / (x z), x = z / |z|. The
 * last step leaves x in place, for the residual. */
static void team_iterate(struct solver *s, long outer) {
  long n = s->a.n;
#pragma omp for schedule(static)
  for (long i = 0; i < n; i++) {
    s->x[i] = 1 / sqrt((double)n);
  }
  for (long step = 0; step < outer; step++) {
    team_solve(s);
#pragma omp single
    team_sum = team_norm = 0;
#pragma omp for schedule(static) reduction(+ : team_sum, team_norm)
    for (long i = 0; i < n; i++) {
      team_sum += s->x[i] * s->z[i];
      team_norm += s->z[i] * s->z[i];
    }
    double scale = 1 / sqrt(team_norm);
#pragma omp single
    s->zeta[step] = SHIFT + 1 / team_sum;
    if (step + 1 < outer) {
#pragma omp for schedule(static)
      for (long i = 0; i < n; i++) {
        s->x[i] = scale * s->z[i];
      }
    }
  }
}

/* ---- the rest is serial ---- */

static void solver_init(struct solver *s, long n, long outer) {
  matrix_init(&s->a, n);
  s->x = kern_doubles(n);
  s->z = kern_doubles(n);
  s->p = kern_doubles(n);
  s->q = kern_doubles(n);
  s->r = kern_doubles(n);
  s->zeta = kern_doubles(outer);
}

/* |x - A z| / |x| */
static double residual(const struct solver *s) {
  double residual = 0, norm = 0;
  for (long i = 0; i < s->a.n; i++) {
    double difference = s->x[i] - row_product(&s->a, i, s->z);
    residual += difference * difference;
    norm += s->x[i] * s->x[i];
  }
  return sqrt(residual / norm);
}

static bool verify(const struct solver *s, long outer, const double *serial, long compared) {
  bool ok = true;
  for (long step = 0; step < compared; step++) {
    ok &= kern_check(kern_close(s->zeta[step], serial[step], 1e-10),
                     "zeta[%ld] %.15g, serial %.15g", step, s->zeta[step], serial[step]);
  }
  for (long step = 0; step < outer; step++) {
    ok &= kern_check(s->zeta[step] >= SHIFT + GAP, "zeta[%ld] %.15g below its bound", step,
                     s->zeta[step]);
  }
  double left = residual(s);
  return ok & kern_check(left <= 1e-7, "residual %g", left);
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "cg",
      .what = "NAS-style CG, one region with many small work shares and reductions",
      .size_means = "rows of the sparse matrix",
      .iters_means = "outer steps, each a solve of 25 iterations",
      .full = {20000, 300},
      .brief = {2000, 2},
  };
  long compared = LONG_MAX;
  const struct kern_option extra[] = {
      {"compare", "N: outer steps repeated serially (3; all with --small)", &compared, NULL},
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 2 && k.iters >= 1, "the size is 2 or more, the steps 1 or more");
  compared = kern_compared(&k, compared, 3);

  struct solver s;
  solver_init(&s, k.size, k.iters);
  team_iterate(&s, compared); /* outside of a region: a team of one */
  double *serial = kern_doubles(k.iters);
  memcpy(serial, s.zeta, (size_t)k.iters * sizeof *serial);

  kern_threads();
  bool ok = true;
  double best = INFINITY;
  for (long rep = 0; rep < k.reps; rep++) {
    memset(s.zeta, 0, (size_t)k.iters * sizeof *s.zeta);
    double start = kern_now();
#pragma omp parallel
    team_iterate(&s, k.iters);
    best = fmin(best, kern_now() - start);
    ok &= verify(&s, k.iters, serial, compared);
  }
  char size[64];
  snprintf(size, sizeof size, "%ldx%ldx%d", k.size, k.iters, SOLVE_ITERATIONS);
  return kern_report("cg", size, best, ok, "%.9f", s.zeta[k.iters - 1]);
}
