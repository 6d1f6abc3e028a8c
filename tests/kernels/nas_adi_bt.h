/* nas_adi_bt.h - the implicit part of a time step of NAS BT: tridiagonal systems of 5x5 blocks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Source    report RNR-94-007, section 3: the scheme of Beam and Warming. Along a direction, with
 *           the Jacobians A of the flow and N of the spread (nas_adi_rhs.h), a line's system is
 *             (1 + dt d/dx A - dt d2/dx2 N) x = rhs
 *           by central differences, whose rows have three blocks of 5x5. Dissipation is explicit.
 * Use       after the right-hand side, bt_line() of all lines along x, then y, then z: then `rhs`
 *           is the change of u
 */
#ifndef NTH_KERNEL_NAS_ADI_BT_H
#define NTH_KERNEL_NAS_ADI_BT_H

#include "block5.h"
#include "nas_adi_rhs.h"

/* The Jacobians of a point along one direction. */
struct bt_point {
  double flow[NAS_M][NAS_M], spread[NAS_M][NAS_M];
};

static inline void bt_flow(const struct gas *g, int d, double a[NAS_M][NAS_M]) {
  double v = g->speed[d], enthalpy = g->energy + g->pressure * g->volume;
  memset(a, 0, NAS_M * sizeof *a);
  a[NAS_DENSITY][NAS_MOMENTUM + d] = 1;
  for (int m = 0; m < NAS_DIRECTIONS; m++) {
    a[NAS_MOMENTUM + m][NAS_DENSITY] = -g->speed[m] * v;
    a[NAS_MOMENTUM + m][NAS_MOMENTUM + m] = v;
    a[NAS_ENERGY][NAS_MOMENTUM + m] = -NAS_K2 * g->speed[m] * v;
  }
  for (int m = 0; m < NAS_DIRECTIONS; m++) {
    a[NAS_MOMENTUM + m][NAS_MOMENTUM + d] += g->speed[m];
    a[NAS_MOMENTUM + d][NAS_MOMENTUM + m] -= NAS_K2 * g->speed[m];
  }
  a[NAS_MOMENTUM + d][NAS_DENSITY] += NAS_K2 * g->kinetic;
  a[NAS_MOMENTUM + d][NAS_ENERGY] = NAS_K2;
  a[NAS_ENERGY][NAS_DENSITY] = (NAS_K2 * g->kinetic - enthalpy) * v;
  a[NAS_ENERGY][NAS_MOMENTUM + d] += enthalpy;
  a[NAS_ENERGY][NAS_ENERGY] = NAS_K1 * v;
}

static inline void bt_spread(const struct gas *g, int d, double a[NAS_M][NAS_M]) {
  const double heat = NAS_VISCOSITY * NAS_K1_K5;
  memset(a, 0, NAS_M * sizeof *a);
  a[NAS_ENERGY][NAS_DENSITY] = -heat * g->energy * g->volume;
  a[NAS_ENERGY][NAS_ENERGY] = heat * g->volume;
  for (int m = 0; m < NAS_DIRECTIONS; m++) {
    double viscosity = nas_viscosity(m, d) * g->volume, v = g->speed[m];
    a[NAS_MOMENTUM + m][NAS_DENSITY] = -viscosity * v;
    a[NAS_MOMENTUM + m][NAS_MOMENTUM + m] = viscosity;
    a[NAS_ENERGY][NAS_MOMENTUM + m] = (viscosity - heat * g->volume) * v;
    a[NAS_ENERGY][NAS_DENSITY] -= (viscosity - heat * g->volume) * v * v;
  }
  for (int m = 0; m < NAS_M; m++) {
    a[m][m] += NAS_DIFFUSION[d];
  }
}

static inline void bt_point_of(const double u[NAS_M], int d, struct bt_point *p) {
  struct gas g = gas_of(u);
  bt_flow(&g, d, p->flow);
  bt_spread(&g, d, p->spread);
}

/* Eliminates the lower block of a row, of the point `before`, with the row before: its blocks
 * `over` and its `x_before`. Solves for the diagonal: then that is 1, and `upper` is what remains
 * of the block of the point `after`. */
static inline void bt_row(double by_flow, double by_spread, const struct bt_point *before,
                          const struct bt_point *here, const struct bt_point *after,
                          const double over[BLOCK5], const double x_before[NAS_M],
                          double upper[BLOCK5], double x[NAS_M]) {
  double diagonal[BLOCK5];
  for (int m = 0; m < NAS_M; m++) {
    double lower[NAS_M];
    for (int l = 0; l < NAS_M; l++) {
      lower[l] = -by_flow * before->flow[m][l] - by_spread * before->spread[m][l];
      diagonal[m * NAS_M + l] = (m == l) + 2 * by_spread * here->spread[m][l];
      upper[m * NAS_M + l] = by_flow * after->flow[m][l] - by_spread * after->spread[m][l];
    }
    for (int k = 0; k < NAS_M; k++) {
      for (int l = 0; l < NAS_M; l++) {
        diagonal[m * NAS_M + l] -= lower[k] * over[k * NAS_M + l];
      }
      x[m] -= lower[k] * x_before[k];
    }
  }
  block5_solve(diagonal, upper, x);
}

static inline void bt_line(const struct zone *z, int d, long first) {
  double upper[NAS_MOST][BLOCK5], x[NAS_MOST][NAS_M];
  struct bt_point point[3]; /* of i at i % 3 */
  long n = z->n[d], stride = z->stride[d];
  double by_flow = z->dt / (2 * z->h[d]), by_spread = z->dt / (z->h[d] * z->h[d]);
  memset(upper[0], 0, sizeof upper[0]); /* the boundary does not change */
  memset(x[0], 0, sizeof x[0]);
  bt_point_of(z->u[first], d, &point[0]);
  bt_point_of(z->u[first + stride], d, &point[1]);
  for (long i = 1; i < n - 1; i++) {
    long at = first + i * stride;
    bt_point_of(z->u[at + stride], d, &point[(i + 1) % 3]);
    for (int m = 0; m < NAS_M; m++) {
      x[i][m] = z->rhs[at][m] * (d == NAS_X ? z->dt : 1);
    }
    bt_row(by_flow, by_spread, &point[(i - 1) % 3], &point[i % 3], &point[(i + 1) % 3],
           upper[i - 1], x[i - 1], upper[i], x[i]);
  }
  memset(x[n - 1], 0, sizeof x[n - 1]);
  for (long i = n - 2; i >= 1; i--) {
    double *result = z->rhs[first + i * stride];
    for (int m = 0; m < NAS_M; m++) {
      for (int l = 0; l < NAS_M; l++) {
        x[i][m] -= upper[i][m * NAS_M + l] * x[i + 1][l];
      }
      result[m] = x[i][m];
    }
  }
}

#endif
