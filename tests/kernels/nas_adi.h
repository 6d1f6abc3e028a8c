/* nas_adi.h - gas flow in a box of points with a known solution: the problem of NAS SP and BT
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Source    the equations of nas_gas.h. A source term makes the known solution the steady one. The
 *           boundary has its values; the inside starts between the boundary's values and is moved
 *           in time.
 * Box       n[0] x n[1] x n[2] points, boundary included; x is the fastest index. A row of points
 *           has an odd length in memory, so that lines along y and z do not fall on few sets of a
 *           cache.
 * Lines     all work of a time step is done line by line, along each of the three directions.
 *           team_lines() hands out lines to the members of a team: planes of lines by
 *           schedule(static), without a critical order, so the result has the same bits for every
 *           team. Buffers of a line are on the stack of the member that works on it.
 * Use       zone_init() -> time steps -> zone_residual(), zone_error()
 * Others    nas_gas.h        the equations at a point
 *           nas_adi_rhs.h    right-hand side and source term
 *           nas_adi_sp.h     a time step of SP, along a line
 *           nas_adi_bt.h     the same of BT
 *           nas_adi_class.h  classes, options and published norms
 *           nas_adi_step.h   a time step of a box
 *           nas_adi_run.h    runs of one box
 *           nas_adi_zones.h  several boxes that exchange their boundaries
 *           nas_adi_zones_run.h   runs of these, on one or two levels
 */
#ifndef NTH_KERNEL_NAS_ADI_H
#define NTH_KERNEL_NAS_ADI_H

#include "kernel.h"
#include "nas_gas.h"

enum { NAS_FEWEST = 6, NAS_MOST = 128 }; /* points along an edge */

struct zone {
  long n[NAS_DIRECTIONS];
  long stride[NAS_DIRECTIONS]; /* points to the next one, by direction */
  double h[NAS_DIRECTIONS];    /* distance of points */
  double dt;
  double (*u)[NAS_M];
  double (*rhs)[NAS_M]; /* the right-hand side, then the change of u; the boundary has 0 */
  double (*source)[NAS_M];
};

static inline long zone_points(const struct zone *z) { return z->n[NAS_Z] * z->stride[NAS_Z]; }

static inline long zone_at(const struct zone *z, long i, long j, long k) {
  return i * z->stride[NAS_X] + j * z->stride[NAS_Y] + k * z->stride[NAS_Z];
}

/* ---- the known solution ---- */

static inline void zone_place(const struct zone *z, const long at[NAS_DIRECTIONS],
                              double place[NAS_DIRECTIONS]) {
  for (int d = 0; d < NAS_DIRECTIONS; d++) {
    place[d] = (double)at[d] * z->h[d];
  }
}

/* Whether a point is on the boundary. Its place is then moved onto the face of the unit cube, from
 * which that of a zone (nas_adi_zones.h) may be away; on an edge, of the last direction. */
static inline bool zone_to_face(const struct zone *z, const long at[NAS_DIRECTIONS],
                                double place[NAS_DIRECTIONS]) {
  for (int d = NAS_Z; d >= NAS_X; d--) {
    if (at[d] == 0 || at[d] == z->n[d] - 1) {
      place[d] = at[d] == 0 ? 0 : 1;
      return true;
    }
  }
  return false;
}

/* u of all points: the known solution; or (start) that on the boundary, and inside values between
 * those. */
static inline void zone_fill(const struct zone *z, bool start) {
  for (long k = 0; k < z->n[NAS_Z]; k++) {
    for (long j = 0; j < z->n[NAS_Y]; j++) {
      for (long i = 0; i < z->n[NAS_X]; i++) {
        const long at[NAS_DIRECTIONS] = {i, j, k};
        double place[NAS_DIRECTIONS], *u = z->u[zone_at(z, i, j, k)];
        zone_place(z, at, place);
        if (start && !zone_to_face(z, at, place)) {
          nas_between(place, u);
        } else {
          nas_exact(place, u);
        }
      }
    }
  }
}

/* ---- lines ---- */

/* Works on the line along `direction` that begins at point `first`, which is on the boundary. */
typedef void nas_line(const struct zone *z, int direction, long first);

/* All inner lines of a direction, by the members of the calling team, who wait for each other. */
__attribute__((always_inline)) static inline void team_lines(const struct zone *z, int direction,
                                                             nas_line *line) {
  int outer = direction == NAS_Z ? NAS_Y : NAS_Z, inner = direction == NAS_X ? NAS_Y : NAS_X;
#pragma omp for schedule(static)
  for (long p = 1; p < z->n[outer] - 1; p++) {
    for (long q = 1; q < z->n[inner] - 1; q++) {
      line(z, direction, p * z->stride[outer] + q * z->stride[inner]);
    }
  }
}

/* ---- norms: the root of a sum of squares over the number of inner points; serial ---- */

static inline void zone_root(const struct zone *z, double sum[NAS_M]) {
  for (int m = 0; m < NAS_M; m++) {
    for (int d = 0; d < NAS_DIRECTIONS; d++) {
      sum[m] /= (double)(z->n[d] - 2);
    }
    sum[m] = sqrt(sum[m]);
  }
}

/* The distance of u from the known solution. */
static inline void zone_error(const struct zone *z, double norm[NAS_M]) {
  memset(norm, 0, NAS_M * sizeof *norm);
  for (long k = 0; k < z->n[NAS_Z]; k++) {
    for (long j = 0; j < z->n[NAS_Y]; j++) {
      for (long i = 0; i < z->n[NAS_X]; i++) {
        const long at[NAS_DIRECTIONS] = {i, j, k};
        double place[NAS_DIRECTIONS], known[NAS_M], *u = z->u[zone_at(z, i, j, k)];
        zone_place(z, at, place);
        nas_exact(place, known);
        for (int m = 0; m < NAS_M; m++) {
          norm[m] += (u[m] - known[m]) * (u[m] - known[m]);
        }
      }
    }
  }
  zone_root(z, norm);
}

/* Points whose bits differ from those of the other box's. */
static inline long zone_differences(const struct zone *z, const struct zone *other) {
  long wrong = 0;
  for (long at = 0; at < zone_points(z); at++) {
    wrong += memcmp(z->u[at], other->u[at], sizeof *z->u) != 0;
  }
  return wrong;
}

static inline void zone_copy(const struct zone *z, const struct zone *from) {
  memcpy(z->u, from->u, (size_t)zone_points(z) * sizeof *z->u);
}

#endif
