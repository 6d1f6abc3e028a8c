/* nas_adi_sp.h - the implicit part of a time step of NAS SP: scalar pentadiagonal systems
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Source    report RNR-94-007, section 3: the scheme of Beam and Warming, diagonalised as by
 *           Pulliam and Chaussee. Along a direction the flow's Jacobian is T L T^-1. The columns
 *           of T are the waves: two of vorticity and one of entropy, which move with the gas, and
 *           two of sound. Between T^-1 and T every unknown has a system of its own. Its rows have
 *           five entries, as the fourth differences of dissipation are implicit, too.
 * Form      The report multiplies by T_x^-1, T_x^-1 T_y, T_y^-1 T_z and T_z. The products do not
 *           depend on the flow if one goes from waves to waves by changes of entropy, speed and
 *           pressure, which is what `rhs` holds between two directions.
 * Use       after the right-hand side, sp_line() of all lines along x, then y, then z: then `rhs`
 *           is the change of u
 */
#ifndef NTH_KERNEL_NAS_ADI_SP_H
#define NTH_KERNEL_NAS_ADI_SP_H

#include "nas_adi_rhs.h"

enum { SP_SYSTEMS = 3, SP_PRESSURE = 4 };
/* Of each unknown: which system it has. Of each system: how its waves move against the gas, in
 * units of the speed of sound. */
static const int SP_SYSTEM[NAS_M] = {0, 0, 0, 1, 2};
static const double SP_WAY[SP_SYSTEMS] = {0, 1, -1};

struct sp_point {
  struct gas gas;
  double sound;  /* its speed */
  double spread; /* the largest coefficient of diffusion: that of energy */
};

static inline struct sp_point sp_point_of(const double u[NAS_M], int d) {
  struct sp_point p = {.gas = gas_of(u)};
  p.sound = sqrt(NAS_K1 * p.gas.pressure * p.gas.volume);
  p.spread = NAS_DIFFUSION[d] + NAS_VISCOSITY * NAS_K1_K5 * p.gas.volume;
  return p;
}

/* ---- transforms of a point's changes, in place ---- */

/* Changes of density, momentum and energy to those of entropy, speed, and pressure over density
 * and speed of sound. */
static inline void sp_to_gas(const struct sp_point *p, double r[NAS_M]) {
  const struct gas *g = &p->gas;
  double pressure = g->kinetic * r[NAS_DENSITY] + r[NAS_ENERGY];
  for (int m = 0; m < NAS_DIRECTIONS; m++) {
    pressure -= g->speed[m] * r[NAS_MOMENTUM + m];
    r[NAS_MOMENTUM + m] = (r[NAS_MOMENTUM + m] - g->speed[m] * r[NAS_DENSITY]) * g->volume;
  }
  pressure *= NAS_K2 / p->sound;
  r[NAS_DENSITY] -= pressure / p->sound;
  r[SP_PRESSURE] = pressure * g->volume;
}

static inline void sp_from_gas(const struct sp_point *p, double r[NAS_M]) {
  const struct gas *g = &p->gas;
  double pressure = r[SP_PRESSURE] / g->volume, energy = pressure * p->sound / NAS_K2;
  r[NAS_DENSITY] += pressure / p->sound;
  energy += g->kinetic * r[NAS_DENSITY];
  for (int m = 0; m < NAS_DIRECTIONS; m++) {
    double push = r[NAS_MOMENTUM + m] / g->volume;
    energy += g->speed[m] * push;
    r[NAS_MOMENTUM + m] = g->speed[m] * r[NAS_DENSITY] + push;
  }
  r[NAS_ENERGY] = energy;
}

/* To the waves of direction d. The first three are the cross product of speed and d's unit vector,
 * with entropy in the place along d; then sound forwards and backwards. */
static inline void sp_to_waves(int d, double r[NAS_M]) {
  int e = (d + 1) % NAS_DIRECTIONS, f = (d + 2) % NAS_DIRECTIONS;
  double entropy = r[NAS_DENSITY], pressure = r[SP_PRESSURE] * M_SQRT1_2;
  double along = r[NAS_MOMENTUM + d] * M_SQRT1_2;
  double across_e = r[NAS_MOMENTUM + e], across_f = r[NAS_MOMENTUM + f];
  r[d] = entropy;
  r[e] = across_f;
  r[f] = -across_e;
  r[3] = pressure + along;
  r[4] = pressure - along;
}

static inline void sp_from_waves(int d, double r[NAS_M]) {
  int e = (d + 1) % NAS_DIRECTIONS, f = (d + 2) % NAS_DIRECTIONS;
  double entropy = r[d], across_e = -r[f], across_f = r[e], forwards = r[3], backwards = r[4];
  r[NAS_DENSITY] = entropy;
  r[NAS_MOMENTUM + d] = (forwards - backwards) * M_SQRT1_2;
  r[NAS_MOMENTUM + e] = across_e;
  r[NAS_MOMENTUM + f] = across_f;
  r[SP_PRESSURE] = (forwards + backwards) * M_SQRT1_2;
}

/* ---- the systems of a line ---- */

/* What elimination leaves of a row beside the diagonal, which is 1. */
struct sp_upper {
  double one, two;
};

/* Row i of a system: 1 + dt d/dx (wave's speed) - dt d2/dx2 (spread) + dt dissipation. */
static inline void sp_row(const struct zone *z, int d, const struct sp_point *p, long i, double way,
                          double row[5]) {
  double by_flow = z->dt / (2 * z->h[d]), by_spread = z->dt / (z->h[d] * z->h[d]);
  const struct sp_point *before = p + i - 1, *here = p + i, *after = p + i + 1;
  const double *fourth = nas_fourth(i, z->n[d]);
  for (int c = 0; c < 5; c++) {
    row[c] = z->dt * NAS_DISSIPATION * fourth[c];
  }
  row[1] -= by_flow * (before->gas.speed[d] + way * before->sound) + by_spread * before->spread;
  row[2] += 1 + 2 * by_spread * here->spread;
  row[3] += by_flow * (after->gas.speed[d] + way * after->sound) - by_spread * after->spread;
}

/* Elimination without exchange of rows, then substitution. x[0] and x[n - 1] are 0: the boundary
 * does not change. */
static inline void sp_solve(const struct zone *z, int d, const struct sp_point *p,
                            double x[][NAS_M]) {
  struct sp_upper memory[NAS_MOST + 1][SP_SYSTEMS], (*upper)[SP_SYSTEMS] = memory + 1;
  long n = z->n[d];
  memset(memory, 0, 2 * sizeof *memory);
  for (long i = 1; i < n - 1; i++) {
    double second[SP_SYSTEMS], first[SP_SYSTEMS], inverse[SP_SYSTEMS];
    for (int s = 0; s < SP_SYSTEMS; s++) {
      const struct sp_upper *over2 = &upper[i - 2][s], *over = &upper[i - 1][s];
      double row[5];
      sp_row(z, d, p, i, SP_WAY[s], row);
      second[s] = row[0];
      first[s] = row[1] - row[0] * over2->one;
      inverse[s] = 1 / (row[2] - row[0] * over2->two - first[s] * over->one);
      upper[i][s].one = (row[3] - first[s] * over->two) * inverse[s];
      upper[i][s].two = row[4] * inverse[s];
    }
    long low = i > 1 ? i - 2 : 0; /* of row 1 `second` is 0 */
    for (int m = 0; m < NAS_M; m++) {
      int s = SP_SYSTEM[m];
      x[i][m] = (x[i][m] - second[s] * x[low][m] - first[s] * x[i - 1][m]) * inverse[s];
    }
  }
  for (long i = n - 3; i >= 1; i--) {
    for (int m = 0; m < NAS_M; m++) {
      const struct sp_upper *e = &upper[i][SP_SYSTEM[m]];
      x[i][m] -= e->one * x[i + 1][m] + e->two * x[i + 2][m];
    }
  }
}

static inline void sp_line(const struct zone *z, int d, long first) {
  struct sp_point p[NAS_MOST];
  double x[NAS_MOST][NAS_M];
  for (long i = 0; i < z->n[d]; i++) {
    long at = first + i * z->stride[d];
    p[i] = sp_point_of(z->u[at], d);
    for (int m = 0; m < NAS_M; m++) {
      x[i][m] = z->rhs[at][m] * (d == NAS_X ? z->dt : 1);
    }
    if (d == NAS_X) {
      sp_to_gas(&p[i], x[i]);
    }
    sp_to_waves(d, x[i]);
  }
  sp_solve(z, d, p, x);
  for (long i = 1; i < z->n[d] - 1; i++) {
    sp_from_waves(d, x[i]);
    if (d == NAS_Z) {
      sp_from_gas(&p[i], x[i]);
    }
    memcpy(z->rhs[first + i * z->stride[d]], x[i], sizeof x[i]);
  }
}

#endif
