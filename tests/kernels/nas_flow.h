/* nas_flow.h - the flow equations of the NAS pseudo-applications: what LU, BT and SP solve
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why       report RNR-94-007, section 3, gives LU, BT and SP one problem: the compressible
 *           Navier-Stokes equations in a unit cube, for u = (density, momenta along x, y, z,
 *           energy):
 *             du/dt = balance(u) - forcing
 *             balance(u) = sum over directions d of -(F_d(u))' + (N_d(u))'' + c_d u'' - e h^4 u''''
 *           F is the flux, N gives the viscous terms; the last two terms are dissipation. The
 *           forcing is the balance of a known polynomial, which is therefore the steady state. The
 *           benchmarks differ in how they solve a time step.
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

enum { FLOW_M = 5, FLOW_ENERGY = 4, FLOW_POWERS = 13 };

/* ---- constants of the specification ---- */

static const double FLOW_C1 = 1.4, FLOW_C2 = 0.4, FLOW_C3 = 0.1, FLOW_C4 = 1, FLOW_C5 = 1.4;
/* c_d of the second differences: the same for all five unknowns. */
static const double FLOW_SECOND[3] = {0.75, 0.75, 1};
/* e of the fourth differences: a quarter of the largest of those. */
static const double FLOW_FOURTH = 0.25;

/* The known solution: coefficients of 1; x, y, z; their squares; their cubes; their fourth powers.
 */
static const double FLOW_EXACT[FLOW_M][FLOW_POWERS] = {
    {2, 0, 0, 4, 5, 3, 0.5, 0.02, 0.01, 0.03, 0.5, 0.4, 0.3},
    {1, 0, 0, 0, 1, 2, 3, 0.01, 0.03, 0.02, 0.4, 0.3, 0.5},
    {2, 2, 0, 0, 0, 2, 3, 0.04, 0.03, 0.05, 0.3, 0.5, 0.4},
    {2, 2, 0, 0, 0, 2, 3, 0.03, 0.05, 0.04, 0.2, 0.1, 0.3},
    {5, 4, 3, 2, 0.1, 0.4, 0.3, 0.05, 0.04, 0.03, 0.1, 0.3, 0.2},
};

/* At a place of the unit cube. */
static inline void flow_exact(const double place[3], double u[FLOW_M]) {
  for (int m = 0; m < FLOW_M; m++) {
    const double *c = FLOW_EXACT[m];
    u[m] = c[0];
    for (int d = 0; d < 3; d++) {
      double x = place[d];
      u[m] += x * (c[1 + d] + x * (c[4 + d] + x * (c[7 + d] + x * c[10 + d])));
    }
  }
}

/* ---- one point ---- */

/* What fluxes and Jacobians need of the five unknowns. */
struct flow_point {
  double inverse; /* of the density */
  double velocity[3];
  double speed2; /* the square of the velocity */
  double energy; /* of a unit of mass */
  double pressure;
};

static inline struct flow_point flow_point_of(const double *u) {
  struct flow_point p = {.inverse = 1 / u[0]};
  for (int d = 0; d < 3; d++) {
    p.velocity[d] = u[1 + d] * p.inverse;
    p.speed2 += p.velocity[d] * p.velocity[d];
  }
  p.energy = u[FLOW_ENERGY] * p.inverse;
  p.pressure = FLOW_C2 * (u[FLOW_ENERGY] - 0.5 * u[0] * p.speed2);
  return p;
}

/* F_d(u) */
static inline void flow_flux(const double *u, const struct flow_point *p, int d,
                             double flux[FLOW_M]) {
  double w = p->velocity[d];
  for (int m = 0; m < FLOW_M; m++) {
    flux[m] = w * u[m];
  }
  flux[1 + d] += p->pressure;
  flux[FLOW_ENERGY] += w * p->pressure;
}

/* The function of a point whose second differences along d are the viscous terms. */
static inline void flow_viscous(const struct flow_point *p, int d, double viscous[FLOW_M]) {
  double c34 = FLOW_C3 * FLOW_C4, w = p->velocity[d];
  viscous[0] = 0;
  for (int c = 0; c < 3; c++) {
    viscous[1 + c] = c34 * p->velocity[c];
  }
  viscous[1 + d] *= 4.0 / 3;
  viscous[FLOW_ENERGY] =
      c34 * (0.5 * (1 - FLOW_C1 * FLOW_C5) * p->speed2 + w * w / 6 + FLOW_C1 * FLOW_C5 * p->energy);
}

/* product = F_d'(u) v: how the flux changes with u along v */
static inline void flow_flux_along(const double *u, const struct flow_point *p, int d,
                                   const double *v, double product[FLOW_M]) {
  double w = p->velocity[d], faster = (v[1 + d] - w * v[0]) * p->inverse;
  double squeezed = v[FLOW_ENERGY] + 0.5 * p->speed2 * v[0];
  for (int c = 0; c < 3; c++) {
    squeezed -= p->velocity[c] * v[1 + c];
  }
  squeezed *= FLOW_C2;
  for (int m = 0; m < FLOW_M; m++) {
    product[m] = w * v[m] + u[m] * faster;
  }
  product[1 + d] += squeezed;
  product[FLOW_ENERGY] += w * squeezed + p->pressure * faster;
}

/* product = N_d'(u) v: how the viscous terms change with u along v */
static inline void flow_viscous_along(const struct flow_point *p, int d, const double *v,
                                      double product[FLOW_M]) {
  double scale = FLOW_C3 * FLOW_C4 * p->inverse, work = 0, faster[3];
  for (int c = 0; c < 3; c++) {
    faster[c] = scale * (v[1 + c] - p->velocity[c] * v[0]);
    work += p->velocity[c] * faster[c];
    product[1 + c] = faster[c];
  }
  product[0] = 0;
  product[1 + d] *= 4.0 / 3;
  product[FLOW_ENERGY] = (1 - FLOW_C1 * FLOW_C5) * work + p->velocity[d] * faster[d] / 3 +
                         FLOW_C1 * FLOW_C5 * scale * (v[FLOW_ENERGY] - p->energy * v[0]);
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
  return FLOW_M * g->n[0] * g->n[1] * g->n[2];
}

static inline void flow_init(struct flow_grid *g, const long n[3]) {
  long stride = FLOW_M;
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

/* Fourth differences along d at place p of n. As the report has them near the faces, they use no
 * values on a face. */
static inline void flow_fourth(const double *u, long stride, long p, long n, double sum[FLOW_M]) {
  for (int m = 0; m < FLOW_M; m++) {
    const double *c = u + m;
    if (p == 1) {
      sum[m] = 5 * c[0] - 4 * c[stride] + c[2 * stride];
    } else if (p == n - 2) {
      sum[m] = c[-2 * stride] - 4 * c[-stride] + 5 * c[0];
    } else {
      sum[m] = -4 * c[-stride] + 6 * c[0] - 4 * c[stride];
      sum[m] += p == 2 ? 0 : c[-2 * stride];
      sum[m] += p == n - 3 ? 0 : c[2 * stride];
    }
  }
}

/* The spatial terms of the equation at an inner point of the field `u`, without the forcing. */
static inline void flow_balance(const struct flow_grid *g, const double *u, long i, long j, long k,
                                double sum[FLOW_M]) {
  const long place[3] = {i, j, k};
  const double *here = u + flow_at(g, i, j, k);
  struct flow_point p = flow_point_of(here);
  memset(sum, 0, FLOW_M * sizeof *sum);
  for (int d = 0; d < 3; d++) {
    const double *before = here - g->stride[d], *after = here + g->stride[d];
    struct flow_point below = flow_point_of(before), above = flow_point_of(after);
    double flux[3][FLOW_M], viscous[3][FLOW_M], fourth[FLOW_M];
    flow_flux(before, &below, d, flux[0]);
    flow_flux(after, &above, d, flux[2]);
    flow_viscous(&below, d, viscous[0]);
    flow_viscous(&p, d, viscous[1]);
    flow_viscous(&above, d, viscous[2]);
    flow_fourth(here, g->stride[d], place[d], g->n[d], fourth);
    for (int m = 0; m < FLOW_M; m++) {
      sum[m] += g->first[d] * (flux[0][m] - flux[2][m]) +
                g->second[d] * (viscous[0][m] - 2 * viscous[1][m] + viscous[2][m] +
                                FLOW_SECOND[d] * (before[m] - 2 * here[m] + after[m])) -
                FLOW_FOURTH * fourth[m];
    }
  }
}

/* ---- start ---- */

/* Between the known values on the faces: the sum of the interpolations along each direction, less
 * their products two by two, plus that of all three, number by number. */
static inline void flow_interpolate(const double place[3], double u[FLOW_M]) {
  double along[3][FLOW_M];
  for (int d = 0; d < 3; d++) {
    double face[3] = {place[0], place[1], place[2]}, low[FLOW_M], high[FLOW_M];
    face[d] = 0;
    flow_exact(face, low);
    face[d] = 1;
    flow_exact(face, high);
    for (int m = 0; m < FLOW_M; m++) {
      along[d][m] = (1 - place[d]) * low[m] + place[d] * high[m];
    }
  }
  for (int m = 0; m < FLOW_M; m++) {
    double x = along[0][m], y = along[1][m], z = along[2][m];
    u[m] = x + y + z - x * y - y * z - z * x + x * y * z;
  }
}

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
          flow_interpolate(place, here);
        } else {
          flow_exact(place, here);
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
        flow_exact(place, known + flow_at(g, i, j, k));
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
static inline void flow_norm(const struct flow_grid *g, const double *field, double norm[FLOW_M]) {
  memset(norm, 0, FLOW_M * sizeof *norm);
  for (long k = 1; k < g->n[2] - 1; k++) {
    for (long j = 1; j < g->n[1] - 1; j++) {
      for (long i = 1; i < g->n[0] - 1; i++) {
        for (int m = 0; m < FLOW_M; m++) {
          double x = field[flow_at(g, i, j, k) + m];
          norm[m] += x * x;
        }
      }
    }
  }
  for (int m = 0; m < FLOW_M; m++) {
    norm[m] = sqrt(norm[m] / (double)((g->n[0] - 2) * (g->n[1] - 2) * (g->n[2] - 2)));
  }
}

/* The same of the distance between u and the known solution. */
static inline void flow_error(const struct flow_grid *g, double norm[FLOW_M]) {
  double *apart = kern_doubles(flow_numbers(g));
  for (long k = 1; k < g->n[2] - 1; k++) {
    for (long j = 1; j < g->n[1] - 1; j++) {
      for (long i = 1; i < g->n[0] - 1; i++) {
        double place[3], *here = apart + flow_at(g, i, j, k);
        flow_place(g, i, j, k, place);
        flow_exact(place, here);
        for (int m = 0; m < FLOW_M; m++) {
          here[m] -= g->u[flow_at(g, i, j, k) + m];
        }
      }
    }
  }
  flow_norm(g, apart, norm);
  free(apart);
}

#endif
