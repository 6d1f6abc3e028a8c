/* nas_adi_rhs.h - the right-hand side of the flow equations in a box, and its source term
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Source    report RNR-94-007, section 3: along each direction d, with flow F and spread S
 *           (nas_gas.h),
 *             rhs = source - sum of dF_d/dx_d + sum of d2S_d/dx_d^2 - dissipation
 *           by central differences; dissipation is a fourth difference. The source is minus that of
 *           the known solution, whose right-hand side is then 0.
 * Use       team_rhs(), or rhs_line() of all lines of a direction, x first, and a barrier between
 *           directions; zone_source() once
 */
#ifndef NTH_KERNEL_NAS_ADI_RHS_H
#define NTH_KERNEL_NAS_ADI_RHS_H

#include "nas_adi.h"

/* Adds what one direction brings to the right-hand side; x, which is first, also the source. */
static inline void rhs_line(const struct zone *z, int d, long first) {
  double u[NAS_MOST][NAS_M], flow[NAS_MOST][NAS_M], spread[NAS_MOST][NAS_M];
  long n = z->n[d];
  double by_flow = 1 / (2 * z->h[d]), by_spread = 1 / (z->h[d] * z->h[d]);
  for (long i = 0; i < n; i++) {
    memcpy(u[i], z->u[first + i * z->stride[d]], sizeof u[i]);
    point_flow(u[i], d, flow[i], spread[i]);
  }
  for (long i = 1; i < n - 1; i++) {
    long at = first + i * z->stride[d];
    const double *fourth = nas_fourth(i, n);
    /* The weight of a neighbour that is missing is 0: any other point will do. */
    long low = i > 1 ? i - 2 : i, high = i < n - 2 ? i + 2 : i;
    for (int m = 0; m < NAS_M; m++) {
      double before = d == NAS_X ? z->source[at][m] : z->rhs[at][m];
      double dissipation = fourth[0] * u[low][m] + fourth[1] * u[i - 1][m] + fourth[2] * u[i][m] +
                           fourth[3] * u[i + 1][m] + fourth[4] * u[high][m];
      z->rhs[at][m] = before - by_flow * (flow[i + 1][m] - flow[i - 1][m]) +
                      by_spread * (spread[i + 1][m] - 2 * spread[i][m] + spread[i - 1][m]) -
                      NAS_DISSIPATION * dissipation;
    }
  }
}

static inline void team_rhs(const struct zone *z) {
  for (int d = NAS_X; d <= NAS_Z; d++) {
    team_lines(z, d, rhs_line);
  }
}

/* u += the change */
static inline void add_line(const struct zone *z, int d, long first) {
  for (long i = 1; i < z->n[d] - 1; i++) {
    long at = first + i * z->stride[d];
    for (int m = 0; m < NAS_M; m++) {
      z->u[at][m] += z->rhs[at][m];
    }
  }
}

/* The right-hand side of the box as it is. */
static inline void zone_residual(const struct zone *z, double norm[NAS_M]) {
  team_rhs(z); /* outside of a region: a team of one */
  memset(norm, 0, NAS_M * sizeof *norm);
  for (long at = 0; at < zone_points(z); at++) {
    for (int m = 0; m < NAS_M; m++) {
      norm[m] += z->rhs[at][m] * z->rhs[at][m];
    }
  }
  zone_root(z, norm);
}

/* A box with its source, whose u are those of the start. */
static inline void zone_init(struct zone *z, const long n[NAS_DIRECTIONS],
                             const double h[NAS_DIRECTIONS], double dt) {
  *z = (struct zone){.dt = dt};
  memcpy(z->n, n, sizeof z->n);
  memcpy(z->h, h, sizeof z->h);
  z->stride[NAS_X] = 1;
  z->stride[NAS_Y] = n[NAS_X] | 1;
  z->stride[NAS_Z] = z->stride[NAS_Y] * n[NAS_Y];
  size_t points = (size_t)zone_points(z);
  z->u = kern_alloc(points, sizeof *z->u);
  z->rhs = kern_alloc(points, sizeof *z->rhs);
  z->source = kern_alloc(points, sizeof *z->source);
  zone_fill(z, false);
  team_rhs(z); /* with a source of 0 */
  for (size_t at = 0; at < points; at++) {
    for (int m = 0; m < NAS_M; m++) {
      z->source[at][m] = -z->rhs[at][m];
    }
  }
  zone_fill(z, true);
}

#endif
