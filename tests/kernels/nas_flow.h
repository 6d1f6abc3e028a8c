/* nas_flow.h - the flow equations on a grid of points: what LU solves
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why       LU, BT and SP solve the equations of nas_gas.h; they differ in how they solve a time
 *           step. With u = the five unknowns, F the flow and S the spread along a direction:
 *             du/dt = balance(u) - forcing
 *             balance(u) = sum over directions d of -(F_d(u))' + (S_d(u))'' - e h^4 u''''
 *           S = N_d(u) + c_d u; N gives the viscous terms. The forcing is the balance of the known
 *           solution, which is therefore the steady state.
 * Grid      n[0] x n[1] x n[2] points, faces included; the first index is the fastest. Derivatives
 *           are central differences; the faces have the known values.
 * Use       flow_init() -> flow_start() -> flow_force() -> steps of the benchmark, each with
 *           flow_balance() at the inner points -> flow_error(), flow_norm(). flow_flux_along() and
 *           flow_viscous_along() are products of the Jacobians with a vector, for implicit steps.
 * Check     whoever includes it compares norms with the published ones. A point is computed by the
 *           same operations in any order of points, so every order gives the same bits.
 */
#ifndef NTH_KERNEL_NAS_FLOW_H
#define NTH_KERNEL_NAS_FLOW_H

#include "kernel.h"
#include "nas_gas.h"

/* ---- one point ---- */

/* product = F_d'(u) v: how the flow changes with u along v */
static inline void flow_flux_along(const double *u, const struct gas *p, int d, const double *v,
                                   double product[NAS_M]) {
  double w = p->speed[d], faster = (v[1 + d] - w * v[0]) * p->volume;
  double squeezed = v[NAS_ENERGY] + p->kinetic * v[0];
  for (int c = 0; c < 3; c++) {
    squeezed -= p->speed[c] * v[1 + c];
  }
  squeezed *= NAS_K2;
  for (int m = 0; m < NAS_M; m++) {
    product[m] = w * v[m] + u[m] * faster;
  }
  product[1 + d] += squeezed;
  product[NAS_ENERGY] += w * squeezed + p->pressure * faster;
}

/* product = N_d'(u) v: how the viscous terms change with u along v */
static inline void flow_viscous_along(const struct gas *p, int d, const double *v,
                                      double product[NAS_M]) {
  double scale = NAS_VISCOSITY * p->volume, work = 0, faster[3];
  for (int c = 0; c < 3; c++) {
    faster[c] = scale * (v[1 + c] - p->speed[c] * v[0]);
    work += p->speed[c] * faster[c];
    product[1 + c] = faster[c];
  }
  product[0] = 0;
  product[1 + d] *= 4.0 / 3;
  product[NAS_ENERGY] = (1 - NAS_K1_K5) * work + p->speed[d] * faster[d] / 3 +
                        NAS_K1_K5 * scale * (v[NAS_ENERGY] - p->energy * v[0]);
}

/* ---- the grid ---- */

struct flow_grid {
  long n[3];           /* points along each direction, faces included */
  long stride[3];      /* numbers to the next point, by direction */
  double first[3];     /* factors of differences f(+1) - f(-1): 1 over 2 h */
  double second[3];    /* of f(+1) - 2 f(0) + f(-1): 1 over h squared */
  double *u, *forcing; /* 5 a point */
  double *right;       /* the right side, and what a step makes of it; 0 on the faces */
};

static inline long flow_at(const struct flow_grid *g, long i, long j, long k) {
  return i * g->stride[0] + j * g->stride[1] + k * g->stride[2];
}

static inline long flow_numbers(const struct flow_grid *g) {
  return NAS_M * g->n[0] * g->n[1] * g->n[2];
}

static inline void flow_init(struct flow_grid *g, const long n[3]) {
  long stride = NAS_M;
  for (int d = 0; d < 3; d++) {
    double apart = 1 / (double)(n[d] - 1);
    g->n[d] = n[d];
    g->stride[d] = stride;
    g->first[d] = 1 / (2 * apart);
    g->second[d] = 1 / (apart * apart);
    stride *= n[d];
  }
  g->u = kern_doubles(stride);
  g->forcing = kern_doubles(stride);
  g->right = kern_doubles(stride);
}

/* The place of a point in the unit cube. */
static inline void flow_place(const struct flow_grid *g, long i, long j, long k, double place[3]) {
  place[0] = (double)i / (double)(g->n[0] - 1);
  place[1] = (double)j / (double)(g->n[1] - 1);
  place[2] = (double)k / (double)(g->n[2] - 1);
}

/* Fourth differences of unknown m along d at place p of n. A point that has the weight 0 may not be
 * there. */
static inline double flow_fourth(const double *u, long stride, long p, long n, int m) {
  const double *weight = nas_fourth(p, n), *c = u + m;
  double far =
      (p > 1 ? weight[0] * c[-2 * stride] : 0) + (p < n - 2 ? weight[4] * c[2 * stride] : 0);
  return far + weight[1] * c[-stride] + weight[2] * c[0] + weight[3] * c[stride];
}

/* The spatial terms of the equation at an inner point of the field `u`, without the forcing. */
static inline void flow_balance(const struct flow_grid *g, const double *u, long i, long j, long k,
                                double sum[NAS_M]) {
  const long place[3] = {i, j, k};
  const double *here = u + flow_at(g, i, j, k);
  memset(sum, 0, NAS_M * sizeof *sum);
  for (int d = 0; d < 3; d++) {
    double flow[3][NAS_M], spread[3][NAS_M];
    for (int at = 0; at < 3; at++) {
      point_flow(here + (at - 1) * g->stride[d], d, flow[at], spread[at]);
    }
    for (int m = 0; m < NAS_M; m++) {
      sum[m] += g->first[d] * (flow[0][m] - flow[2][m]) +
                g->second[d] * (spread[0][m] - 2 * spread[1][m] + spread[2][m]) -
                NAS_DISSIPATION * flow_fourth(here, g->stride[d], place[d], g->n[d], m);
    }
  }
}

/* ---- start ---- */

static inline bool flow_is_inner(const struct flow_grid *g, long i, long j, long k) {
  return i > 0 && i < g->n[0] - 1 && j > 0 && j < g->n[1] - 1 && k > 0 && k < g->n[2] - 1;
}

/* The first field: known on the faces, interpolated within. */
static inline void flow_start(const struct flow_grid *g, double *u) {
  for (long k = 0; k < g->n[2]; k++) {
    for (long j = 0; j < g->n[1]; j++) {
      for (long i = 0; i < g->n[0]; i++) {
        double place[3], *here = u + flow_at(g, i, j, k);
        flow_place(g, i, j, k, place);
        if (flow_is_inner(g, i, j, k)) {
          nas_between(place, here);
        } else {
          nas_exact(place, here);
        }
      }
    }
  }
}

/* The forcing that balances the spatial terms of the known solution. */
static inline void flow_force(const struct flow_grid *g) {
  double *known = kern_doubles(flow_numbers(g));
  for (long k = 0; k < g->n[2]; k++) {
    for (long j = 0; j < g->n[1]; j++) {
      for (long i = 0; i < g->n[0]; i++) {
        double place[3];
        flow_place(g, i, j, k, place);
        nas_exact(place, known + flow_at(g, i, j, k));
      }
    }
  }
  for (long k = 1; k < g->n[2] - 1; k++) {
    for (long j = 1; j < g->n[1] - 1; j++) {
      for (long i = 1; i < g->n[0] - 1; i++) {
        flow_balance(g, known, i, j, k, g->forcing + flow_at(g, i, j, k));
      }
    }
  }
  free(known);
}

/* ---- results ---- */

/* By unknown: the root of the mean square of `field` over the inner points. */
static inline void flow_norm(const struct flow_grid *g, const double *field, double norm[NAS_M]) {
  memset(norm, 0, NAS_M * sizeof *norm);
  for (long k = 1; k < g->n[2] - 1; k++) {
    for (long j = 1; j < g->n[1] - 1; j++) {
      for (long i = 1; i < g->n[0] - 1; i++) {
        for (int m = 0; m < NAS_M; m++) {
          double x = field[flow_at(g, i, j, k) + m];
          norm[m] += x * x;
        }
      }
    }
  }
  for (int m = 0; m < NAS_M; m++) {
    norm[m] = sqrt(norm[m] / (double)((g->n[0] - 2) * (g->n[1] - 2) * (g->n[2] - 2)));
  }
}

/* The same of the distance between u and the known solution. */
static inline void flow_error(const struct flow_grid *g, double norm[NAS_M]) {
  double *apart = kern_doubles(flow_numbers(g));
  for (long k = 1; k < g->n[2] - 1; k++) {
    for (long j = 1; j < g->n[1] - 1; j++) {
      for (long i = 1; i < g->n[0] - 1; i++) {
        double place[3], *here = apart + flow_at(g, i, j, k);
        flow_place(g, i, j, k, place);
        nas_exact(place, here);
        for (int m = 0; m < NAS_M; m++) {
          here[m] -= g->u[flow_at(g, i, j, k) + m];
        }
      }
    }
  }
  flow_norm(g, apart, norm);
  free(apart);
}

#endif
