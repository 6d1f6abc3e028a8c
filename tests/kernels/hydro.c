/* hydro.c - gas in a periodic box: four independent updates of fields, each with parallel loops
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Experiment  Martorell et al. 1999, sections 5.1 and 6.1 (figures 6, 9): SPEC95fp Hydro2D. In a
 *             step the four calls of its flux-corrected transport are independent, and each has
 *             parallel loops. Two levels: a group of processors a call; one level: the calls one
 *             after the other, their loops on all processors. This is our own program of that
 *             structure for the same kind of equations: mass, two momenta and energy of a gas.
 * Scheme      directions one after the other. Each field is moved with the diffusive fluxes of
 *             Rusanov; then a flux against that diffusion is limited (Boris and Book 1973) and
 *             added. The last row of a field that one member writes is read by its neighbour in the
 *             next loop.
 * Check       mass, momenta and energy are conserved up to round-off, since what leaves a cell
 *             enters the next one; the first steps (all, with --small) are repeated serially and
 *             must agree bit by bit, at every split.
 */
#include "levels.h"

enum { FIELDS = 4, MASS = 0, MOMENTUM = 1, ENERGY = 3 }; /* 1 and 2: momenta by direction */

static const double HEAT_RATIO = 1.4;
static const double COURANT = 0.4;
static const double SHARPEN = 0.5; /* of the diffusion, what the second flux takes back */
static const double PI = 3.14159265358979323846;

struct gas {
  long n;                                /* n x n cells */
  double *q[FIELDS], *moved[FIELDS];     /* conserved; after the diffusive fluxes */
  double *against[FIELDS];               /* the limited flux, at the cell's upper face */
  double *speed, *pressure, *wave;       /* of the gas along the direction, of its sound */
  double total[FIELDS], largest[FIELDS]; /* at the start: sums, and sums of magnitudes */
};

/* What the loops of one direction share. */
struct sweep {
  const struct gas *gas;
  int direction; /* 0: from row to row, 1: along the rows */
  double ratio;  /* time step over the size of a cell */
};

/* A cell's row, of which `n` are around in a ring. */
static long ring(long i, long n) { return i < 0 ? i + n : i >= n ? i - n : i; }

/* The cell `step` cells further along the direction. */
static long beside(const struct sweep *s, long i, long j, long step) {
  long n = s->gas->n;
  return s->direction == 0 ? ring(i + step, n) * n + j : i * n + ring(j + step, n);
}

/* ---- the loops' bodies, a row each ---- */

static void row_state(const struct sweep *s, long i) {
  const struct gas *g = s->gas;
  for (long at = i * g->n; at < (i + 1) * g->n; at++) {
    double mass = g->q[MASS][at], x = g->q[MOMENTUM][at], y = g->q[MOMENTUM + 1][at];
    g->pressure[at] = (HEAT_RATIO - 1) * (g->q[ENERGY][at] - 0.5 * (x * x + y * y) / mass);
    g->speed[at] = g->q[MOMENTUM + s->direction][at] / mass;
    g->wave[at] = fabs(g->speed[at]) + sqrt(HEAT_RATIO * g->pressure[at] / mass);
  }
}

/* What flows through a cell along the direction. */
static double flow(const struct sweep *s, int field, long at) {
  const struct gas *g = s->gas;
  double along = g->q[field][at] * g->speed[at];
  if (field == MOMENTUM + s->direction) {
    along += g->pressure[at];
  } else if (field == ENERGY) {
    along += g->pressure[at] * g->speed[at];
  }
  return along;
}

static double face_wave(const struct gas *g, long one, long other) {
  return g->wave[one] > g->wave[other] ? g->wave[one] : g->wave[other];
}

static double face_flux(const struct sweep *s, int field, long one, long other) {
  const double *q = s->gas->q[field];
  return 0.5 * (flow(s, field, one) + flow(s, field, other)) -
         0.5 * face_wave(s->gas, one, other) * (q[other] - q[one]);
}

static void row_move(const struct sweep *s, int field, long i) {
  const struct gas *g = s->gas;
  for (long j = 0; j < g->n; j++) {
    long at = i * g->n + j, below = beside(s, i, j, -1), above = beside(s, i, j, 1);
    double out = face_flux(s, field, at, above), in = face_flux(s, field, below, at);
    g->moved[field][at] = g->q[field][at] - s->ratio * (out - in);
  }
}

/* The flux at the upper face that takes diffusion back, but makes no new extremes. */
static void row_limit(const struct sweep *s, int field, long i) {
  const struct gas *g = s->gas;
  const double *moved = g->moved[field];
  for (long j = 0; j < g->n; j++) {
    long at = i * g->n + j, above = beside(s, i, j, 1);
    double wanted = SHARPEN * 0.5 * face_wave(g, at, above) * (moved[above] - moved[at]);
    double sign = wanted < 0 ? -1 : 1;
    double before = sign * (moved[at] - moved[beside(s, i, j, -1)]) / s->ratio;
    double after = sign * (moved[beside(s, i, j, 2)] - moved[above]) / s->ratio;
    double least = before < after ? before : after;
    least = least < fabs(wanted) ? least : fabs(wanted);
    g->against[field][at] = least > 0 ? sign * least : 0;
  }
}

static void row_sharpen(const struct sweep *s, int field, long i) {
  const struct gas *g = s->gas;
  for (long j = 0; j < g->n; j++) {
    long at = i * g->n + j;
    g->q[field][at] = g->moved[field][at] -
                      s->ratio * (g->against[field][at] - g->against[field][beside(s, i, j, -1)]);
  }
}

/* ---- one direction: serial, on one level, on two ---- */

/* The three loops of one field by a team of `threads`; 0: of the default size. */
static void field_update(const struct sweep *s, int field, int threads) {
  long n = s->gas->n;
  int team = threads > 0 ? threads : omp_get_max_threads();
#pragma omp parallel for schedule(static) num_threads(team)
  for (long i = 0; i < n; i++) {
    row_move(s, field, i);
  }
#pragma omp parallel for schedule(static) num_threads(team)
  for (long i = 0; i < n; i++) {
    row_limit(s, field, i);
  }
#pragma omp parallel for schedule(static) num_threads(team)
  for (long i = 0; i < n; i++) {
    row_sharpen(s, field, i);
  }
}

static void fields_in_sections(const struct sweep *s, struct lv_split split) {
#pragma omp parallel sections num_threads(split.outer)
  {
#pragma omp section
    field_update(s, MASS, split.inner);
#pragma omp section
    field_update(s, MOMENTUM, split.inner);
#pragma omp section
    field_update(s, MOMENTUM + 1, split.inner);
#pragma omp section
    field_update(s, ENERGY, split.inner);
  }
}

static void fields_in_tasks(const struct sweep *s, struct lv_split split) {
#pragma omp parallel num_threads(split.outer)
#pragma omp single
  for (int field = 0; field < FIELDS; field++) {
#pragma omp task
    field_update(s, field, split.inner);
  }
}

static void sweep_parallel(const struct sweep *s, struct lv_split split, bool tasks) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < s->gas->n; i++) {
    row_state(s, i);
  }
  if (split.outer == 0) {
    for (int field = 0; field < FIELDS; field++) {
      field_update(s, field, 0);
    }
  } else if (tasks) {
    fields_in_tasks(s, split);
  } else {
    fields_in_sections(s, split);
  }
}

static void sweep_serial(const struct sweep *s) {
  static void (*const body[])(const struct sweep *, int, long) = {row_move, row_limit, row_sharpen};
  for (long i = 0; i < s->gas->n; i++) {
    row_state(s, i);
  }
  for (int field = 0; field < FIELDS; field++) {
    for (size_t loop = 0; loop < sizeof body / sizeof *body; loop++) {
      for (long i = 0; i < s->gas->n; i++) {
        body[loop](s, field, i);
      }
    }
  }
}

/* ---- time steps ---- */

/* The fastest wave in row i, in either direction. */
static double row_fastest(const struct gas *g, long i) {
  double fastest = 0;
  for (int direction = 0; direction < 2; direction++) {
    struct sweep s = {g, direction, 0};
    row_state(&s, i);
    for (long at = i * g->n; at < (i + 1) * g->n; at++) {
      fastest = g->wave[at] > fastest ? g->wave[at] : fastest;
    }
  }
  return fastest;
}

static void step_parallel(const struct gas *g, struct lv_split split, bool tasks) {
  double fastest = 0;
#pragma omp parallel for schedule(static) reduction(max : fastest)
  for (long i = 0; i < g->n; i++) {
    double here = row_fastest(g, i);
    fastest = here > fastest ? here : fastest;
  }
  for (int direction = 0; direction < 2; direction++) {
    sweep_parallel(&(struct sweep){g, direction, COURANT / fastest}, split, tasks);
  }
}

static void step_serial(const struct gas *g) {
  double fastest = 0;
  for (long i = 0; i < g->n; i++) {
    double here = row_fastest(g, i);
    fastest = here > fastest ? here : fastest;
  }
  for (int direction = 0; direction < 2; direction++) {
    sweep_serial(&(struct sweep){g, direction, COURANT / fastest});
  }
}

/* ---- start, checks ---- */

static void gas_totals(const struct gas *g, double total[FIELDS], double largest[FIELDS]) {
  for (int field = 0; field < FIELDS; field++) {
    total[field] = largest[field] = 0;
    for (long at = 0; at < g->n * g->n; at++) {
      total[field] += g->q[field][at];
      largest[field] += fabs(g->q[field][at]);
    }
  }
}

/* The start: streams against each other, waves across them. */
static void gas_reset(struct gas *g) {
  double unit = 2 * PI / (double)g->n;
  for (long i = 0; i < g->n; i++) {
    for (long j = 0; j < g->n; j++) {
      long at = i * g->n + j;
      double x = (double)i * unit, y = (double)j * unit;
      double mass = 1 + 0.3 * sin(x) * cos(y), u = 0.1 * sin(y) + 0.05, v = 0.6 * sin(x);
      g->q[MASS][at] = mass;
      g->q[MOMENTUM][at] = mass * u;
      g->q[MOMENTUM + 1][at] = mass * v;
      g->q[ENERGY][at] = 2.5 / (HEAT_RATIO - 1) + 0.5 * mass * (u * u + v * v);
    }
  }
  gas_totals(g, g->total, g->largest);
}

static void gas_init(struct gas *g, long n) {
  g->n = n;
  for (int field = 0; field < FIELDS; field++) {
    g->q[field] = kern_doubles(n * n);
    g->moved[field] = kern_doubles(n * n);
    g->against[field] = kern_doubles(n * n);
  }
  g->speed = kern_doubles(n * n);
  g->pressure = kern_doubles(n * n);
  g->wave = kern_doubles(n * n);
}

static bool gas_conserved(const struct gas *g) {
  double total[FIELDS], largest[FIELDS];
  bool ok = true;
  gas_totals(g, total, largest);
  for (int field = 0; field < FIELDS; field++) {
    ok &= kern_check(fabs(total[field] - g->total[field]) <= 1e-11 * g->largest[field],
                     "field %d: total %.17g, was %.17g", field, total[field], g->total[field]);
  }
  return ok;
}

static bool gas_equal(const struct gas *g, double *const serial[FIELDS]) {
  long wrong = 0;
  for (int field = 0; field < FIELDS; field++) {
    for (long at = 0; at < g->n * g->n; at++) {
      wrong += g->q[field][at] != serial[field][at];
    }
  }
  return kern_check(wrong == 0, "%ld values differ from the serial ones", wrong);
}

static int run(const struct kernel *k, struct gas *g, struct lv_split split, bool tasks,
               long compared, double *const serial[FIELDS]) {
  bool ok = true;
  double best = INFINITY;
  for (long rep = 0; rep < k->reps; rep++) {
    gas_reset(g);
    double elapsed = 0, start = kern_now();
    for (long i = 1; i <= k->iters; i++) {
      step_parallel(g, split, tasks);
      if (i == compared) { /* outside of the timing */
        elapsed = kern_now() - start;
        ok &= gas_equal(g, serial);
        start = kern_now();
      }
    }
    best = fmin(best, elapsed + kern_now() - start);
    ok &= gas_conserved(g);
  }
  double sum = 0;
  for (long at = 0; at < g->n * g->n; at++) {
    sum += g->q[MASS][at] * g->q[ENERGY][at];
  }
  char size[64], name[64];
  snprintf(size, sizeof size, "%ldx%ldx%ld", g->n, g->n, k->iters);
  return kern_report(lv_name(name, tasks ? "hydro-tasks" : "hydro", split), size, best, ok, "%.12e",
                     sum / (double)(g->n * g->n));
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "hydro",
      .what = "gas in a periodic box, four fields at once and parallel loops in each",
      .size_means = "cells along an edge of the grid",
      .iters_means = "time steps",
      .full = {256, 150},
      .brief = {32, 4},
  };
  long compared = LONG_MAX;
  bool tasks = false;
  struct lv_options levels = {0};
  const struct kern_option extra[] = {
      LV_OPTIONS(levels),
      {"tasks", "the four fields as tasks, not as sections", NULL, &tasks},
      {"compare", "N: steps repeated serially (5; all with --small)", &compared, NULL},
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 4, "the size must be 4 or more");
  compared = kern_compared(&k, compared, 5);
  struct lv_split plan[LV_MOST];
  int count = lv_plan(&k, &levels, FIELDS, plan), status = KERN_OK;

  static struct gas g; /* static: what is still there at the end is no leak */
  gas_init(&g, k.size);
  gas_reset(&g);
  for (long i = 0; i < compared; i++) {
    step_serial(&g);
  }
  static double *serial[FIELDS];
  for (int field = 0; field < FIELDS; field++) {
    serial[field] = kern_doubles(k.size * k.size);
    memcpy(serial[field], g.q[field], (size_t)(k.size * k.size) * sizeof(double));
  }
  for (int i = 0; i < count; i++) {
    status |= run(&k, &g, plan[i], tasks, compared, serial);
  }
  return status;
}
