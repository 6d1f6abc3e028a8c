/* adi.h - block tridiagonal systems along the three directions of a box: what bt and bt_mz share
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why       the numbers of NAS BT (report RNR-94-007; Martorell et al. 1999, section 5.2): five
 *           unknowns a cell, and in each time step one system of 5x5 blocks a line of cells, first
 *           along x, then y, then z. Ours is a small equation of that form: diffusion with
 *           coefficients C(u) that couple the five, and sources that make a known field the fixed
 *           point:
 *             (I - Ax)(I - Ay)(I - Az) du = dt (C(u) (uxx + uyy + uzz) + f);  u += du
 * Box       nx x ny x nz cells and a layer around them, whose values are given: those of the field,
 *           or a neighbour's (bt_mz). i runs along x and is the fastest index, then j, then k.
 * Use       box_init() -> per step: box_residual() of all cells; for each direction
 *           box_eliminate() of all cells, lower neighbours first, and box_substitute(), upper ones
 *           first; box_advance(). A call takes a block of cells. A cell's elimination needs that of
 *           the one before it along the direction, its substitution that of the one after; nothing
 *           else.
 * Check     a cell is computed by the same operations in any order that keeps to that, so every
 *           such order gives the same bits; and the error against the known field falls.
 */
#ifndef NTH_KERNEL_ADI_H
#define NTH_KERNEL_ADI_H

#include "block5.h"
#include "kernel.h"

enum { ADI_M = 5, ADI_BLOCK = ADI_M * ADI_M, ADI_X = 0, ADI_Y = 1, ADI_Z = 2 };

/* dt over the square of a cell's edge, by direction. */
static const double ADI_RATIO[3] = {0.5, 0.45, 0.4};
static const double ADI_COUPLING = 0.3;

struct box {
  long nx, ny, nz;
  long stride[3]; /* cells to the next one, by direction */
  double *u;      /* 5 a cell, as all but `upper` and `source` with the layer around */
  double *du;     /* the right side, then the solution of the last direction */
  double *source;
  double *upper; /* 25 a cell: the blocks that elimination leaves */
};

/* Cells i0 <= i < i1 and so on, counted from 0 without the layer. */
struct block {
  long i0, i1, j0, j1, k0, k1;
};

static inline long box_cells(const struct box *b) {
  return (b->nx + 2) * (b->ny + 2) * (b->nz + 2);
}

/* The cell (i, j, k); -1 and n are the layer. */
static inline long box_at(const struct box *b, long i, long j, long k) {
  return i + 1 + b->stride[ADI_Y] * (j + 1) + b->stride[ADI_Z] * (k + 1);
}

static inline struct block box_all(const struct box *b) {
  return (struct block){0, b->nx, 0, b->ny, 0, b->nz};
}

/* Part `part` of `parts` of a block, cut along one direction. */
static inline struct block block_cut(struct block c, int direction, long part, long parts) {
  long *begin = direction == ADI_X ? &c.i0 : direction == ADI_Y ? &c.j0 : &c.k0;
  long *end = direction == ADI_X ? &c.i1 : direction == ADI_Y ? &c.j1 : &c.k1;
  long first = *begin, n = *end - first;
  *begin = first + n * part / parts;
  *end = first + n * (part + 1) / parts;
  return c;
}

/* The field at which u comes to rest, of a place in the unit cube. */
static inline double adi_known(int m, double x, double y, double z) {
  return 1 + 0.2 * m + 0.3 * sin(2.5 * x + m) * cos(2 * y - m) + 0.2 * sin(3 * z + 0.5 * m) * x;
}

/* C(u), and C(u) v. A cell's coefficients grow with u and are positive definite. */
static inline void adi_matrix(const double *u, double c[ADI_BLOCK]) {
  double square = 1;
  for (int m = 0; m < ADI_M; m++) {
    square += u[m] * u[m];
  }
  for (int m = 0; m < ADI_M; m++) {
    for (int l = 0; l < ADI_M; l++) {
      c[m * ADI_M + l] = ADI_COUPLING * u[m] * u[l] / square + (m == l ? 0.6 + 0.1 * m : 0);
    }
  }
}

/* The second differences of all directions at a cell, each with its ratio. */
static inline void adi_spread(const struct box *b, const double *u, long at, double sum[ADI_M]) {
  for (int m = 0; m < ADI_M; m++) {
    sum[m] = 0;
    for (int d = 0; d < 3; d++) {
      sum[m] += ADI_RATIO[d] * (u[(at + b->stride[d]) * ADI_M + m] - 2 * u[at * ADI_M + m] +
                                u[(at - b->stride[d]) * ADI_M + m]);
    }
  }
}

/* product = C(u of the cell) v */
static inline void adi_apply(const double *u, const double v[ADI_M], double product[ADI_M]) {
  double c[ADI_BLOCK];
  adi_matrix(u, c);
  for (int m = 0; m < ADI_M; m++) {
    product[m] = 0;
    for (int l = 0; l < ADI_M; l++) {
      product[m] += c[m * ADI_M + l] * v[l];
    }
  }
}

/* ---- start ---- */

/* A box whose cell (0, 0, 0) is cell `first` of a grid with `whole` cells along each direction. */
static inline void box_init(struct box *b, const long n[3], const long first[3],
                            const long whole[3]) {
  *b = (struct box){.nx = n[0], .ny = n[1], .nz = n[2]};
  b->stride[ADI_X] = 1;
  b->stride[ADI_Y] = n[0] + 2;
  b->stride[ADI_Z] = (n[0] + 2) * (n[1] + 2);
  long cells = box_cells(b);
  b->u = kern_doubles(cells * ADI_M);
  b->du = kern_doubles(cells * ADI_M);
  b->source = kern_doubles(cells * ADI_M);
  b->upper = kern_doubles(cells * ADI_BLOCK);
  for (long k = -1; k <= n[2]; k++) {
    for (long j = -1; j <= n[1]; j++) {
      for (long i = -1; i <= n[0]; i++) {
        for (int m = 0; m < ADI_M; m++) {
          b->u[box_at(b, i, j, k) * ADI_M + m] =
              adi_known(m, (double)(first[0] + i + 1) / (double)(whole[0] + 1),
                        (double)(first[1] + j + 1) / (double)(whole[1] + 1),
                        (double)(first[2] + k + 1) / (double)(whole[2] + 1));
        }
      }
    }
  }
  for (long k = 0; k < n[2]; k++) {
    for (long j = 0; j < n[1]; j++) {
      for (long i = 0; i < n[0]; i++) {
        double spread[ADI_M], flow[ADI_M];
        long at = box_at(b, i, j, k);
        adi_spread(b, b->u, at, spread);
        adi_apply(b->u + at * ADI_M, spread, flow);
        for (int m = 0; m < ADI_M; m++) {
          b->source[at * ADI_M + m] = -flow[m];
        }
      }
    }
  }
}

/* ---- one cell ---- */

/* One row of blocks: -A above and below, I + 2A on the diagonal. The layer's du are 0 and its
 * blocks `upper` as well, so the first cell of a line is like the others. */
static inline void cell_eliminate(const struct box *b, int direction, long at) {
  long before = at - b->stride[direction];
  const double *over = b->upper + before * ADI_BLOCK, *known = b->du + before * ADI_M;
  double a[ADI_BLOCK], d[ADI_BLOCK], *e = b->upper + at * ADI_BLOCK, *v = b->du + at * ADI_M;
  adi_matrix(b->u + at * ADI_M, a);
  for (int m = 0; m < ADI_BLOCK; m++) {
    a[m] *= ADI_RATIO[direction];
  }
  for (int m = 0; m < ADI_M; m++) {
    for (int l = 0; l < ADI_M; l++) {
      double product = 0;
      for (int x = 0; x < ADI_M; x++) {
        product += a[m * ADI_M + x] * over[x * ADI_M + l];
      }
      d[m * ADI_M + l] = (m == l) + 2 * a[m * ADI_M + l] + product;
      e[m * ADI_M + l] = -a[m * ADI_M + l];
      v[m] += a[m * ADI_M + l] * known[l];
    }
  }
  block5_solve(d, e, v);
}

static inline void cell_substitute(const struct box *b, int direction, long at) {
  const double *e = b->upper + at * ADI_BLOCK, *known = b->du + (at + b->stride[direction]) * ADI_M;
  double *v = b->du + at * ADI_M;
  for (int m = 0; m < ADI_M; m++) {
    for (int l = 0; l < ADI_M; l++) {
      v[m] -= e[m * ADI_M + l] * known[l];
    }
  }
}

/* ---- blocks of cells ---- */

static inline void box_residual(const struct box *b, struct block c) {
  for (long k = c.k0; k < c.k1; k++) {
    for (long j = c.j0; j < c.j1; j++) {
      for (long at = box_at(b, c.i0, j, k); at < box_at(b, c.i1, j, k); at++) {
        double spread[ADI_M], flow[ADI_M];
        adi_spread(b, b->u, at, spread);
        adi_apply(b->u + at * ADI_M, spread, flow);
        for (int m = 0; m < ADI_M; m++) {
          b->du[at * ADI_M + m] = flow[m] + b->source[at * ADI_M + m];
        }
      }
    }
  }
}

static inline void box_eliminate(const struct box *b, int direction, struct block c) {
  for (long k = c.k0; k < c.k1; k++) {
    for (long j = c.j0; j < c.j1; j++) {
      for (long at = box_at(b, c.i0, j, k); at < box_at(b, c.i1, j, k); at++) {
        cell_eliminate(b, direction, at);
      }
    }
  }
}

static inline void box_substitute(const struct box *b, int direction, struct block c) {
  for (long k = c.k1; k-- > c.k0;) {
    for (long j = c.j1; j-- > c.j0;) {
      for (long at = box_at(b, c.i1, j, k); at-- > box_at(b, c.i0, j, k);) {
        cell_substitute(b, direction, at);
      }
    }
  }
}

/* Both, for whole lines along the direction. */
static inline void box_lines(const struct box *b, int direction, struct block c) {
  box_eliminate(b, direction, c);
  box_substitute(b, direction, c);
}

static inline void box_advance(const struct box *b, struct block c) {
  for (long k = c.k0; k < c.k1; k++) {
    for (long j = c.j0; j < c.j1; j++) {
      for (long x = box_at(b, c.i0, j, k) * ADI_M; x < box_at(b, c.i1, j, k) * ADI_M; x++) {
        b->u[x] += b->du[x];
      }
    }
  }
}

/* ---- one step by one thread; checks ---- */

static inline void box_step_serial(const struct box *b) {
  struct block all = box_all(b);
  box_residual(b, all);
  for (int direction = ADI_X; direction <= ADI_Z; direction++) {
    box_lines(b, direction, all);
  }
  box_advance(b, all);
}

/* Cells whose bits differ from those of the other box's. */
static inline long box_differences(const struct box *b, const struct box *other) {
  long wrong = 0;
  for (long at = 0; at < box_cells(b); at++) {
    wrong += memcmp(b->u + at * ADI_M, other->u + at * ADI_M, ADI_M * sizeof(double)) != 0;
  }
  return wrong;
}

/* The largest distance between two boxes' u. */
static inline double box_distance(const struct box *b, const struct box *other) {
  double largest = 0;
  for (long x = 0; x < box_cells(b) * ADI_M; x++) {
    double here = fabs(b->u[x] - other->u[x]);
    largest = here > largest || isnan(here) ? here : largest;
  }
  return largest;
}

static inline void box_copy(struct box *b, const struct box *from) {
  memcpy(b->u, from->u, (size_t)(box_cells(b) * ADI_M) * sizeof(double));
}

/* Moves the cells of the box, not the layer, away from the known field. */
static inline void box_disturb(struct box *b) {
  for (long k = 0; k < b->nz; k++) {
    for (long j = 0; j < b->ny; j++) {
      for (long x = box_at(b, 0, j, k) * ADI_M; x < box_at(b, b->nx, j, k) * ADI_M; x++) {
        b->u[x] += 0.25 + 0.25 * ((double)((7 * j + 3 * k + x) % 11) / 11);
      }
    }
  }
}

#endif
