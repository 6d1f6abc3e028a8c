/* npb_cg.c - NAS CG: the smallest eigenvalue of a sparse matrix, by inverse iteration
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernel      as specified in the NAS report RNR-94-007: 15 outer steps. In each one, 25 steps of
 *             the conjugate gradient method solve A z = x, another product finds the residual, and
 *             z, scaled, becomes the next x. The matrix is in nas_matrix.h.
 * OpenMP      one region around all outer steps, inside it only orphaned loops over the rows, with
 *             one static schedule. A step of a solve has three loops, each with a barrier; two of
 *             them end with a reduction.
 * Sums        the target of a reduction is shared. One member clears it while no member uses it:
 *             after the first barrier behind its last use, before the last barrier ahead of its
 *             next use.
 * Check       zeta is the published one of the class to 1e-10; residuals are small. Sums are
 *             reductions, so their last digits depend on the order of the threads: zeta is printed
 *             with ten decimals.
 */
#include "kernel.h"
#include "nas_matrix.h"

enum { OUTER_STEPS = 15, SOLVE_STEPS = 25 };

static const double RESIDUAL_MOST = 1e-9;

struct cg_class {
  char letter;
  int rows, entries; /* entries: random nonzeros of each vector that makes the matrix */
  double shift, zeta;
};

/* The published zeta (NAS Parallel Benchmarks, CG verification). */
static const struct cg_class classes[] = {
    {'S', 1400, 7, 10, 8.5971775078648},
    {'W', 7000, 8, 12, 10.362595087124},
    {'A', 14000, 11, 20, 17.130235054029},
};

struct solver {
  struct nas_matrix a;
  double shift;
  double *x, *z, *p, *q, *r; /* as NAS names them */
  double zeta[OUTER_STEPS], residual[OUTER_STEPS];
};

/* Targets of the team's reductions: products of vectors, and the square of the residual. */
static double sum_xx, sum_pq, sum_rr, sum_xz, sum_zz, sum_left;

/* ---- called by every member of the team ---- */

/* The start; the memory of each part of a vector is first written by the member that uses it. */
static void team_init(const struct solver *s) {
#pragma omp for schedule(static)
  for (int i = 0; i < s->a.rows; i++) {
    s->z[i] = s->p[i] = s->q[i] = s->r[i] = 0;
    s->x[i] = 1;
  }
}

/* z = 0, r = p = x; clears all sums but r r, and finds x x. */
static void team_begin(const struct solver *s) {
#pragma omp single
  sum_xx = sum_pq = sum_xz = sum_zz = sum_left = 0;
#pragma omp for schedule(static) reduction(+ : sum_xx)
  for (int i = 0; i < s->a.rows; i++) {
    s->z[i] = 0;
    s->r[i] = s->p[i] = s->x[i];
    sum_xx += s->x[i] * s->x[i];
  }
}

/* z = about A^-1 x, from zero. */
static void team_solve(const struct solver *s) {
  team_begin(s);
  double rho = sum_xx;
  for (int step = 0; step < SOLVE_STEPS; step++) {
#pragma omp single nowait
    sum_rr = 0;
#pragma omp for schedule(static) reduction(+ : sum_pq)
    for (int i = 0; i < s->a.rows; i++) {
      s->q[i] = nas_matrix_row(&s->a, i, s->p);
      sum_pq += s->p[i] * s->q[i];
    }
    double alpha = rho / sum_pq;
#pragma omp for schedule(static) reduction(+ : sum_rr)
    for (int i = 0; i < s->a.rows; i++) {
      s->z[i] += alpha * s->p[i];
      s->r[i] -= alpha * s->q[i];
      sum_rr += s->r[i] * s->r[i];
    }
    double beta = sum_rr / rho;
    rho = sum_rr;
#pragma omp single nowait
    sum_pq = 0;
#pragma omp for schedule(static)
    for (int i = 0; i < s->a.rows; i++) {
      s->p[i] = s->r[i] + beta * s->p[i];
    }
  }
}

static void team_iterate(struct solver *s) {
  for (int step = 0; step < OUTER_STEPS; step++) {
    team_solve(s);
#pragma omp for schedule(static) reduction(+ : sum_xz, sum_zz, sum_left)
    for (int i = 0; i < s->a.rows; i++) {
      double left = s->x[i] - nas_matrix_row(&s->a, i, s->z);
      sum_left += left * left;
      sum_xz += s->x[i] * s->z[i];
      sum_zz += s->z[i] * s->z[i];
    }
#pragma omp single nowait
    {
      s->zeta[step] = s->shift + 1 / sum_xz;
      s->residual[step] = sqrt(sum_left);
    }
    double scale = 1 / sqrt(sum_zz);
#pragma omp for schedule(static)
    for (int i = 0; i < s->a.rows; i++) {
      s->x[i] = scale * s->z[i];
    }
  }
}

/* ---- the rest is serial ---- */

static void solver_init(struct solver *s, const struct cg_class *class) {
  nas_matrix_init(&s->a, class->rows, class->entries, class->shift);
  s->shift = class->shift;
  s->x = kern_doubles(class->rows);
  s->z = kern_doubles(class->rows);
  s->p = kern_doubles(class->rows);
  s->q = kern_doubles(class->rows);
  s->r = kern_doubles(class->rows);
}

static bool verify(const struct solver *s, const struct cg_class *class) {
  bool ok = true;
  for (int step = 0; step < OUTER_STEPS; step++) {
    ok &=
        kern_check(s->residual[step] <= RESIDUAL_MOST, "residual[%d] %g", step, s->residual[step]);
  }
  double zeta = s->zeta[OUTER_STEPS - 1];
  return ok & kern_check(fabs(zeta - class->zeta) <= 1e-10, "zeta %.15g, published %.15g", zeta,
                         class->zeta);
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "npb_cg",
      .what = "NAS CG, inverse iteration with the published matrix",
      .size_means = "class: S, W or A",
      .classes = "SWA",
      .full = {'W', OUTER_STEPS},
      .brief = {'S', OUTER_STEPS},
  };
  kern_parse(&k, NULL, argc, argv);
  const struct cg_class *class = classes;
  while (class->letter != k.size) {
    class++;
  }
  kern_threads();
  static struct solver s; /* static: what is still there at the end is no leak */
  solver_init(&s, class);

  bool ok = true;
  double best = INFINITY;
  for (long rep = 0; rep < k.reps; rep++) {
    memset(s.zeta, 0xff, sizeof s.zeta);
    memset(s.residual, 0xff, sizeof s.residual);
#pragma omp parallel
    team_init(&s);
    double start = kern_now();
#pragma omp parallel
    team_iterate(&s);
    best = kern_time(&k, best, kern_now() - start);
    ok &= verify(&s, class);
  }
  char size[64];
  snprintf(size, sizeof size, "%c:%dx%dx%d", class->letter, class->rows, OUTER_STEPS, SOLVE_STEPS);
  return kern_report("npb_cg", size, best, ok, "%.10f", s.zeta[OUTER_STEPS - 1]);
}
