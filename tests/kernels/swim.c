/* swim.c - shallow-water equations on a periodic grid, three parallel loops a time step
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Experiment  Martorell et al. 1999, section 4 (figure 5): SPEC95fp Swim, one level of loops. This
 *             is our own program for the same equations and scheme: potential-enstrophy conserving
 *             differences on a staggered grid (Sadourny 1975), leapfrog with a time filter.
 * Grid        u on the west faces, v on the south faces, p and h in the cells, potential vorticity
 *             z on the south-west corners; everything wraps around.
 * Check       the total mass sum(p) is conserved by the scheme up to round-off; the first steps
 *             (all, with --small) are repeated serially and must agree bit by bit.
 */
#include "kernel.h"

static const double GRID_STEP = 1e5; /* m */
static const double TIME_STEP = 90;  /* s */
static const double FILTER = 0.001;  /* of the time filter */
static const double AMPLITUDE = 1e6; /* of the initial stream function, m^2/s */
static const double MEAN_P = 50000;  /* mean of p, m^2/s^2 */
static const double PI = 3.14159265358979323846;

struct fields {
  double *u, *v, *p;
};

struct ocean {
  long n;                       /* n x n cells */
  struct fields old, now, next; /* three time levels */
  double *cu, *cv, *z, *h;      /* mass fluxes, potential vorticity, head */
  double dt;                    /* between `old` and `next`, s */
  double mass;                  /* sum(p) at the start */
};

static struct fields fields_new(long cells) {
  return (struct fields){kern_doubles(cells), kern_doubles(cells), kern_doubles(cells)};
}

static void fields_copy(struct fields *to, const struct fields *from, long cells) {
  size_t bytes = (size_t)cells * sizeof(double);
  memcpy(to->u, from->u, bytes);
  memcpy(to->v, from->v, bytes);
  memcpy(to->p, from->p, bytes);
}

static double fields_mass(const struct fields *f, long cells) {
  double mass = 0;
  for (long i = 0; i < cells; i++) {
    mass += f->p[i];
  }
  return mass;
}

static double stream(long i, long j, double wave) {
  return AMPLITUDE * sin(((double)i + 0.5) * wave) * sin(((double)j + 0.5) * wave);
}

/* The start: a field of eddies from a stream function, p in balance with it. */
static void ocean_reset(struct ocean *o) {
  double wave = 2 * PI / (double)o->n;
  double swing = PI * PI * AMPLITUDE * AMPLITUDE / pow((double)o->n * GRID_STEP, 2);
  for (long i = 0; i < o->n; i++) {
    for (long j = 0; j < o->n; j++) {
      long at = i * o->n + j;
      o->now.u[at] = -(stream(i, j + 1, wave) - stream(i, j, wave)) / GRID_STEP;
      o->now.v[at] = (stream(i + 1, j, wave) - stream(i, j, wave)) / GRID_STEP;
      o->now.p[at] = MEAN_P + swing * (cos(2 * (double)i * wave) + cos(2 * (double)j * wave));
    }
  }
  fields_copy(&o->old, &o->now, o->n * o->n);
  o->mass = fields_mass(&o->now, o->n * o->n);
  o->dt = TIME_STEP; /* the first step is a forward one */
}

static void ocean_init(struct ocean *o, long n) {
  o->n = n;
  o->old = fields_new(n * n);
  o->now = fields_new(n * n);
  o->next = fields_new(n * n);
  o->cu = kern_doubles(n * n);
  o->cv = kern_doubles(n * n);
  o->z = kern_doubles(n * n);
  o->h = kern_doubles(n * n);
  ocean_reset(o);
}

/* A row of cells and its neighbours, as offsets of their first cells. */
struct rows {
  long west, here, east;
};

static struct rows rows_at(long i, long n) {
  return (struct rows){(i == 0 ? n - 1 : i - 1) * n, i * n, (i == n - 1 ? 0 : i + 1) * n};
}

/* Fluxes, vorticity and head of row i. */
static void row_fluxes(const struct ocean *o, long i) {
  const double *u = o->now.u, *v = o->now.v, *p = o->now.p;
  struct rows r = rows_at(i, o->n);
  for (long j = 0; j < o->n; j++) {
    long south = j == 0 ? o->n - 1 : j - 1, north = j == o->n - 1 ? 0 : j + 1, at = r.here + j;
    o->cu[at] = 0.5 * (p[at] + p[r.west + j]) * u[at];
    o->cv[at] = 0.5 * (p[at] + p[r.here + south]) * v[at];
    o->z[at] = 4 / GRID_STEP * (v[at] - v[r.west + j] - u[at] + u[r.here + south]) /
               (p[r.west + south] + p[r.here + south] + p[at] + p[r.west + j]);
    o->h[at] = p[at] + 0.25 * (u[r.east + j] * u[r.east + j] + u[at] * u[at] +
                               v[r.here + north] * v[r.here + north] + v[at] * v[at]);
  }
}

/* The new u, v, p of row i. */
static void row_advance(const struct ocean *o, long i) {
  const double *cu = o->cu, *cv = o->cv, *z = o->z, *h = o->h;
  double eighth = o->dt / 8, slope = o->dt / GRID_STEP;
  struct rows r = rows_at(i, o->n);
  for (long j = 0; j < o->n; j++) {
    long south = j == 0 ? o->n - 1 : j - 1, north = j == o->n - 1 ? 0 : j + 1, at = r.here + j;
    o->next.u[at] = o->old.u[at] +
                    eighth * (z[r.here + north] + z[at]) *
                        (cv[r.here + north] + cv[r.west + north] + cv[r.west + j] + cv[at]) -
                    slope * (h[at] - h[r.west + j]);
    o->next.v[at] = o->old.v[at] -
                    eighth * (z[r.east + j] + z[at]) *
                        (cu[r.east + j] + cu[at] + cu[r.here + south] + cu[r.east + south]) -
                    slope * (h[at] - h[r.here + south]);
    o->next.p[at] =
        o->old.p[at] - slope * (cu[r.east + j] - cu[at]) - slope * (cv[r.here + north] - cv[at]);
  }
}

/* The time filter of row i: the middle level, smoothed, becomes the old one. */
static void row_filter(const struct ocean *o, long i) {
  for (long at = i * o->n; at < (i + 1) * o->n; at++) {
    o->old.u[at] = o->now.u[at] + FILTER * (o->next.u[at] - 2 * o->now.u[at] + o->old.u[at]);
    o->old.v[at] = o->now.v[at] + FILTER * (o->next.v[at] - 2 * o->now.v[at] + o->old.v[at]);
    o->old.p[at] = o->now.p[at] + FILTER * (o->next.p[at] - 2 * o->now.p[at] + o->old.p[at]);
  }
}

static void ocean_turn(struct ocean *o) {
  struct fields swap = o->now;
  o->now = o->next;
  o->next = swap;
  o->dt = 2 * TIME_STEP;
}

static void ocean_step(struct ocean *o) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < o->n; i++) {
    row_fluxes(o, i);
  }
#pragma omp parallel for schedule(static)
  for (long i = 0; i < o->n; i++) {
    row_advance(o, i);
  }
#pragma omp parallel for schedule(static)
  for (long i = 0; i < o->n; i++) {
    row_filter(o, i);
  }
  ocean_turn(o);
}

static void ocean_step_serial(struct ocean *o) {
  for (long i = 0; i < o->n; i++) {
    row_fluxes(o, i);
  }
  for (long i = 0; i < o->n; i++) {
    row_advance(o, i);
  }
  for (long i = 0; i < o->n; i++) {
    row_filter(o, i);
  }
  ocean_turn(o);
}

static bool fields_equal(const struct fields *a, const struct fields *b, long cells) {
  size_t bytes = (size_t)cells * sizeof(double);
  return memcmp(a->u, b->u, bytes) == 0 && memcmp(a->v, b->v, bytes) == 0 &&
         memcmp(a->p, b->p, bytes) == 0;
}

static double energy(const struct ocean *o) {
  double sum = 0;
  for (long i = 0; i < o->n * o->n; i++) {
    sum += o->now.p[i] * (o->now.u[i] * o->now.u[i] + o->now.v[i] * o->now.v[i]);
  }
  return sum / (double)(o->n * o->n);
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "swim",
      .what = "shallow-water equations on a periodic grid",
      .size_means = "cells along an edge of the grid",
      .iters_means = "time steps",
      .full = {512, 400},
      .brief = {96, 60},
  };
  long compared = LONG_MAX;
  const struct kern_option extra[] = {
      {"compare", "N: steps repeated serially (10; all with --small)", &compared, NULL},
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 3, "the size must be 3 or more");
  compared = kern_compared(&k, compared, 10);

  struct ocean o;
  ocean_init(&o, k.size);
  long cells = k.size * k.size;
  struct fields serial = fields_new(cells);
  for (long i = 0; i < compared; i++) {
    ocean_step_serial(&o);
  }
  fields_copy(&serial, &o.now, cells);

  kern_threads();
  bool ok = true;
  double best = INFINITY;
  for (long rep = 0; rep < k.reps; rep++) {
    ocean_reset(&o);
    double start = kern_now(), elapsed = 0;
    for (long i = 0; i < k.iters; i++) {
      if (i == compared) { /* outside of the timing */
        elapsed = kern_now() - start;
        ok &= kern_check(fields_equal(&o.now, &serial, cells), "step %ld differs from serial", i);
        start = kern_now();
      }
      ocean_step(&o);
    }
    best = fmin(best, elapsed + kern_now() - start);
    if (compared == k.iters) {
      ok &= kern_check(fields_equal(&o.now, &serial, cells), "the end differs from serial");
    }
    double mass = fields_mass(&o.now, cells);
    ok &= kern_check(kern_close(mass, o.mass, 1e-11), "mass %.17g, was %.17g", mass, o.mass);
  }
  char size[64];
  snprintf(size, sizeof size, "%ldx%ldx%ld", k.size, k.size, k.iters);
  return kern_report("swim", size, best, ok, "%.12e", energy(&o));
}
