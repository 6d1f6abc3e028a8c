/* nas_gas.h - the gas of the NAS pseudo-applications at a point, and its known solution
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Source    report RNR-94-007, section 3: the compressible Navier-Stokes equations in the unit
 *           cube. A point has five unknowns: density, momentum along x, y and z, energy. Along a
 *           direction they flow, and are spread by diffusion, viscosity and heat conduction;
 *           dissipation is a fourth difference. A polynomial in x, y and z is the known solution.
 * Use       LU solves them by nas_flow.h, SP and BT by nas_adi.h
 */
#ifndef NTH_KERNEL_NAS_GAS_H
#define NTH_KERNEL_NAS_GAS_H

#include <string.h>

enum { NAS_M = 5, NAS_X = 0, NAS_Y = 1, NAS_Z = 2, NAS_DIRECTIONS = 3 };
enum { NAS_DENSITY = 0, NAS_MOMENTUM = 1, NAS_ENERGY = 4 }; /* momentum of x; y and z follow */

/* The constants of the report: k1 is the ratio of the specific heats, k2 = k1 - 1; k3 k4 is the
 * viscosity, k5 the Prandtl number's part in heat conduction. */
static const double NAS_K1 = 1.4, NAS_K2 = 0.4, NAS_VISCOSITY = 0.1, NAS_K1_K5 = 1.96;
static const double NAS_DIFFUSION[NAS_DIRECTIONS] = {0.75, 0.75, 1};
static const double NAS_DISSIPATION = 0.25; /* a quarter of the largest diffusion */

/* Dissipation is a fourth difference. Next to the boundary, where a neighbour is missing, it has
 * other weights: those of points 1 and 2, of inner ones, and of the last two. */
static const double NAS_FOURTH[5][5] = {
    {0, 0, 5, -4, 1}, {0, -4, 6, -4, 1}, {1, -4, 6, -4, 1}, {1, -4, 6, -4, 0}, {1, -4, 5, 0, 0},
};

/* The weights at point i of a line of n points. */
static inline const double *nas_fourth(long i, long n) {
  return NAS_FOURTH[i < 3 ? i - 1 : i >= n - 3 ? i - n + 6 : 2];
}

/* ---- the known solution ---- */

/* Coefficients by unknown: of 1; x y z; their squares; cubes; fourth powers. */
static const double NAS_EXACT[NAS_M][13] = {
    {2, 0, 0, 4, 5, 3, 0.5, 0.02, 0.01, 0.03, 0.5, 0.4, 0.3},
    {1, 0, 0, 0, 1, 2, 3, 0.01, 0.03, 0.02, 0.4, 0.3, 0.5},
    {2, 2, 0, 0, 0, 2, 3, 0.04, 0.03, 0.05, 0.3, 0.5, 0.4},
    {2, 2, 0, 0, 0, 2, 3, 0.03, 0.05, 0.04, 0.2, 0.1, 0.3},
    {5, 4, 3, 2, 0.1, 0.4, 0.3, 0.05, 0.04, 0.03, 0.1, 0.3, 0.2},
};

static inline void nas_exact(const double place[NAS_DIRECTIONS], double u[NAS_M]) {
  for (int m = 0; m < NAS_M; m++) {
    const double *c = NAS_EXACT[m];
    u[m] = c[0];
    for (int d = 0; d < NAS_DIRECTIONS; d++) {
      double x = place[d];
      u[m] += x * (c[1 + d] + x * (c[4 + d] + x * (c[7 + d] + x * c[10 + d])));
    }
  }
}

/* Transfinite interpolation: with P_d between the known values of the two opposite faces of
 * direction d, u = 1 - (1 - P_x) (1 - P_y) (1 - P_z). */
static inline void nas_between(const double place[NAS_DIRECTIONS], double u[NAS_M]) {
  double rest[NAS_M] = {1, 1, 1, 1, 1};
  for (int d = 0; d < NAS_DIRECTIONS; d++) {
    double on_face[NAS_DIRECTIONS], low[NAS_M], high[NAS_M];
    memcpy(on_face, place, sizeof on_face);
    on_face[d] = 0;
    nas_exact(on_face, low);
    on_face[d] = 1;
    nas_exact(on_face, high);
    for (int m = 0; m < NAS_M; m++) {
      rest[m] *= 1 - (place[d] * high[m] + (1 - place[d]) * low[m]);
    }
  }
  for (int m = 0; m < NAS_M; m++) {
    u[m] = 1 - rest[m];
  }
}

/* ---- a point ---- */

/* What follows from the unknowns of a point. */
struct gas {
  double volume;                /* 1 / density */
  double speed[NAS_DIRECTIONS]; /* momentum / density */
  double kinetic, energy;       /* kinetic and total energy a mass */
  double pressure;
};

static inline struct gas gas_of(const double u[NAS_M]) {
  struct gas g = {.volume = 1 / u[NAS_DENSITY]};
  double square = 0;
  for (int d = 0; d < NAS_DIRECTIONS; d++) {
    g.speed[d] = u[NAS_MOMENTUM + d] * g.volume;
    square += g.speed[d] * g.speed[d];
  }
  g.kinetic = 0.5 * square;
  g.energy = u[NAS_ENERGY] * g.volume;
  g.pressure = NAS_K2 * (u[NAS_ENERGY] - g.kinetic * u[NAS_DENSITY]);
  return g;
}

/* Viscosity of momentum `m` along direction d. */
static inline double nas_viscosity(int m, int d) {
  return m == d ? NAS_VISCOSITY * 4 / 3 : NAS_VISCOSITY;
}

/* F and S along direction d. */
static inline void point_flow(const double u[NAS_M], int d, double flow[NAS_M],
                              double spread[NAS_M]) {
  struct gas g = gas_of(u);
  double v = g.speed[d];
  flow[NAS_DENSITY] = u[NAS_MOMENTUM + d];
  spread[NAS_DENSITY] = 0;
  for (int m = 0; m < NAS_DIRECTIONS; m++) {
    flow[NAS_MOMENTUM + m] = u[NAS_MOMENTUM + m] * v;
    spread[NAS_MOMENTUM + m] = nas_viscosity(m, d) * g.speed[m];
  }
  flow[NAS_MOMENTUM + d] += g.pressure;
  flow[NAS_ENERGY] = (u[NAS_ENERGY] + g.pressure) * v;
  spread[NAS_ENERGY] =
      NAS_VISCOSITY * ((1 - NAS_K1_K5) * g.kinetic + v * v / 6 + NAS_K1_K5 * g.energy);
  for (int m = 0; m < NAS_M; m++) {
    spread[m] += NAS_DIFFUSION[d] * u[m];
  }
}

#endif
