/* lu_system.h - symmetric successive over-relaxation of the flow equations: NAS LU's numbers
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why       report RNR-94-007, section on LU. A time step of implicit Euler is one system
 *             K du = dt (balance(u) - forcing),  K = I - dt (Jacobian of the balance at u)
 *           without the fourth differences. K has a 5x5 block a point (D) and one for each of its
 *           six neighbours: Y for the three before it, Z for the three after it. One pass of SSOR:
 *             (D + w Y) x = dt (balance - forcing);  (D + w Z) du = D x;  u += du / (w (2 - w))
 *           The first is the lower sweep, the second the upper one.
 * Blocks    no block is stored. Those of neighbours are applied as products of a Jacobian and a
 *           vector. D has the viscous terms and second differences only, so it is lower triangular.
 * Use       lu_init() -> lu_restart() -> per step: lu_lower() of all points, lu_upper() of all,
 *           lu_advance() of all planes, lu_residual() of all planes. The lower sweep of a point
 *           needs that of the points before it along x, y and z, the upper one those after it.
 *           lu_results() at the end.
 * Check     lu_verify() against the published results of a class. All orders that keep to the
 *           dependences give the same bits.
 */
#ifndef NTH_KERNEL_LU_SYSTEM_H
#define NTH_KERNEL_LU_SYSTEM_H

#include "nas_flow.h"

static const double LU_OMEGA = 1.2, LU_TOLERANCE = 1e-8;

struct lu_system {
  struct flow_grid grid;
  double dt;
  double fixed;       /* the part of D's diagonal that is the same for all unknowns and points */
  double all;         /* the sum of grid.second */
  double weighted[3]; /* viscous terms of each velocity: 4/3 along it, 1 across, times second */
};

/* Points j0 <= j < j1, k0 <= k < k1, and all inner ones along x. */
struct lu_tile {
  long j0, j1, k0, k1;
};

struct lu_results {
  double residual[NAS_M], error[NAS_M], surface;
};

static inline long lu_planes(const struct lu_system *s) { return s->grid.n[2] - 2; }
static inline long lu_rows(const struct lu_system *s) { return s->grid.n[1] - 2; }

/* ---- start ---- */

static inline void lu_init(struct lu_system *s, const long n[3], double dt) {
  flow_init(&s->grid, n);
  flow_force(&s->grid);
  s->dt = dt;
  s->fixed = 1;
  s->all = 0;
  for (int d = 0; d < 3; d++) {
    s->fixed += 2 * dt * s->grid.second[d] * NAS_DIFFUSION[d];
    s->all += s->grid.second[d];
  }
  for (int d = 0; d < 3; d++) {
    s->weighted[d] = s->all + s->grid.second[d] / 3;
  }
}

static inline void lu_free(struct lu_system *s) {
  free(s->grid.u);
  free(s->grid.forcing);
  free(s->grid.right);
}

/* ---- one point ---- */

/* Solves D x = v at a point with the unknowns u; x may be v. */
static inline void lu_solve(const struct lu_system *s, const double *u, const double v[NAS_M],
                            double x[NAS_M]) {
  struct gas p = gas_of(u);
  double scale = 2 * s->dt * NAS_VISCOSITY * p.volume;
  double heat = NAS_K1_K5 * s->all;
  x[0] = v[0] / s->fixed;
  double work = -heat * p.energy * x[0];
  for (int c = 0; c < 3; c++) {
    double spread = scale * s->weighted[c], carried = p.speed[c] * x[0];
    x[1 + c] = (v[1 + c] + spread * carried) / (s->fixed + spread);
    work += (s->weighted[c] - heat) * p.speed[c] * (x[1 + c] - carried);
  }
  x[NAS_ENERGY] = (v[NAS_ENERGY] - scale * work) / (s->fixed + scale * heat);
}

/* Adds to `sum` what the neighbour at `at` along d contributes: -dt w times its block times its
 * part of the solution. way: 1 for the one before the point, -1 for the one after it. */
static inline void lu_neighbour(const struct lu_system *s, int d, long at, double way,
                                double sum[NAS_M]) {
  const double *u = s->grid.u + at, *v = s->grid.right + at;
  double flux[NAS_M], viscous[NAS_M];
  double first = LU_OMEGA * s->dt * way * s->grid.first[d];
  double second = LU_OMEGA * s->dt * s->grid.second[d];
  struct gas p = gas_of(u);
  flow_flux_along(u, &p, d, v, flux);
  flow_viscous_along(&p, d, v, viscous);
  for (int m = 0; m < NAS_M; m++) {
    sum[m] += first * flux[m] + second * (viscous[m] + NAS_DIFFUSION[d] * v[m]);
  }
}

static inline void lu_lower_point(const struct lu_system *s, long at) {
  double *v = s->grid.right + at, sum[NAS_M];
  for (int m = 0; m < NAS_M; m++) {
    sum[m] = s->dt * v[m];
  }
  for (int d = 2; d >= 0; d--) {
    lu_neighbour(s, d, at - s->grid.stride[d], 1, sum);
  }
  lu_solve(s, s->grid.u + at, sum, v);
}

static inline void lu_upper_point(const struct lu_system *s, long at) {
  double *v = s->grid.right + at, sum[NAS_M] = {0};
  for (int d = 2; d >= 0; d--) {
    lu_neighbour(s, d, at + s->grid.stride[d], -1, sum);
  }
  lu_solve(s, s->grid.u + at, sum, sum);
  for (int m = 0; m < NAS_M; m++) {
    v[m] += sum[m];
  }
}

/* ---- tiles and planes ---- */

static inline void lu_lower(const struct lu_system *s, struct lu_tile t) {
  for (long k = t.k0; k < t.k1; k++) {
    for (long j = t.j0; j < t.j1; j++) {
      for (long i = 1; i < s->grid.n[0] - 1; i++) {
        lu_lower_point(s, flow_at(&s->grid, i, j, k));
      }
    }
  }
}

static inline void lu_upper(const struct lu_system *s, struct lu_tile t) {
  for (long k = t.k1; k-- > t.k0;) {
    for (long j = t.j1; j-- > t.j0;) {
      for (long i = s->grid.n[0] - 2; i > 0; i--) {
        lu_upper_point(s, flow_at(&s->grid, i, j, k));
      }
    }
  }
}

static inline void lu_residual(const struct lu_system *s, long k) {
  const struct flow_grid *g = &s->grid;
  for (long j = 1; j < g->n[1] - 1; j++) {
    for (long i = 1; i < g->n[0] - 1; i++) {
      long at = flow_at(g, i, j, k);
      double balance[NAS_M];
      flow_balance(g, g->u, i, j, k, balance);
      for (int m = 0; m < NAS_M; m++) {
        g->right[at + m] = balance[m] - g->forcing[at + m];
      }
    }
  }
}

static inline void lu_advance(const struct lu_system *s, long k) {
  const struct flow_grid *g = &s->grid;
  double share = 1 / (LU_OMEGA * (2 - LU_OMEGA));
  for (long j = 1; j < g->n[1] - 1; j++) {
    for (long x = flow_at(g, 1, j, k); x < flow_at(g, g->n[0] - 1, j, k); x++) {
      g->u[x] += share * g->right[x];
    }
  }
}

/* ---- one thread alone ---- */

/* Back to the first field, with its residual. */
static inline void lu_restart(const struct lu_system *s) {
  flow_start(&s->grid, s->grid.u);
  for (long k = 1; k <= lu_planes(s); k++) {
    lu_residual(s, k);
  }
}

static inline void lu_step_serial(const struct lu_system *s) {
  struct lu_tile all = {1, 1 + lu_rows(s), 1, 1 + lu_planes(s)};
  lu_lower(s, all);
  lu_upper(s, all);
  for (long k = 1; k <= lu_planes(s); k++) {
    lu_advance(s, k);
  }
  for (long k = 1; k <= lu_planes(s); k++) {
    lu_residual(s, k);
  }
}

/* Points whose bits, of the field or of the residual, differ from those of the other system. */
static inline long lu_differences(const struct lu_system *s, const struct lu_system *other) {
  const struct flow_grid *g = &s->grid, *h = &other->grid;
  size_t bytes = NAS_M * sizeof(double);
  long wrong = 0;
  for (long at = 0; at < flow_numbers(g); at += NAS_M) {
    wrong += memcmp(g->u + at, h->u + at, bytes) || memcmp(g->right + at, h->right + at, bytes);
  }
  return wrong;
}

/* ---- results ---- */

/* The sum of the pressures at the corners of a square along directions d and e. */
static inline double lu_square(const struct lu_system *s, const long at[3], int d, int e) {
  double sum = 0;
  for (int corner = 0; corner < 4; corner++) {
    long here = flow_at(&s->grid, at[0], at[1], at[2]) + corner % 2 * s->grid.stride[d] +
                corner / 2 * s->grid.stride[e];
    sum += gas_of(s->grid.u + here).pressure;
  }
  return sum;
}

/* The integral of the pressure over the faces of a box within the grid, whose bounds the report
 * gives. */
static inline double lu_surface(const struct lu_system *s) {
  const long *n = s->grid.n, low[3] = {1, 1, 2}, high[3] = {n[0] - 2, n[1] - 3, n[2] - 2};
  double integral = 0;
  for (int across = 0; across < 3; across++) {
    int d = across == 0 ? 1 : 0, e = across == 2 ? 1 : 2;
    double sum = 0;
    long at[3];
    for (at[e] = low[e]; at[e] < high[e]; at[e]++) {
      for (at[d] = low[d]; at[d] < high[d]; at[d]++) {
        at[across] = low[across];
        sum += lu_square(s, at, d, e);
        at[across] = high[across];
        sum += lu_square(s, at, d, e);
      }
    }
    integral += 0.25 * sum / (double)((n[d] - 1) * (n[e] - 1));
  }
  return integral;
}

static inline struct lu_results lu_results(const struct lu_system *s) {
  struct lu_results r;
  flow_norm(&s->grid, s->grid.right, r.residual);
  flow_error(&s->grid, r.error);
  r.surface = lu_surface(s);
  return r;
}

static inline bool lu_verify(const struct lu_results *found, const struct lu_results *published) {
  bool ok = true;
  for (int m = 0; m < NAS_M; m++) {
    ok &= kern_check(kern_close(found->residual[m], published->residual[m], LU_TOLERANCE),
                     "residual norm %d is %.13e, published %.13e", m + 1, found->residual[m],
                     published->residual[m]);
    ok &= kern_check(kern_close(found->error[m], published->error[m], LU_TOLERANCE),
                     "error norm %d is %.13e, published %.13e", m + 1, found->error[m],
                     published->error[m]);
  }
  return ok & kern_check(kern_close(found->surface, published->surface, LU_TOLERANCE),
                         "surface integral %.13e, published %.13e", found->surface,
                         published->surface);
}

#endif
