/* lu_mz.c - NAS LU-MZ: the flow equations in 16 equal zones, an inner team for each zone
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernel      as specified in the NAS report NAS-03-010: 4 x 4 zones along x and y, each a problem
 *             of lu with a unit cube of its own. Before each step a zone takes over its four
 *             neighbours' outermost inner points as the values on its faces; the zones at the edge
 *             have those at the other edge as neighbours.
 * Levels      outer: zones; all have the same size, so they are shared out evenly. Inner: the
 *             sweeps (lu_sweep.h) and loops of a zone's step. One level: zone after zone, the
 *             sweeps and loops on all processors.
 * Classes     S: 24 x 24 x 6 points of all zones, 50 steps of 0.5; W: 64 x 64 x 8, 300 of 0.0015;
 *             A: 128 x 128 x 16, 250 of 2
 * Check       sums over the zones of the norms of the residual, the norms of the error and the
 *             surface integral are the published ones of the class to 1e-8, unless --size, --depth
 *             or --iters change it. The first steps (all, with --small) bit by bit against serial
 *             ones; the residual falls.
 */
#include "levels.h"
#include "lu_sweep.h"

enum { CLASS_S, CLASS_W, CLASS_A, CLASSES, ACROSS = 4, ZONES = ACROSS * ACROSS };
static const char *const class_names[] = {"S", "W", "A", NULL};

/* NAS Parallel Benchmarks, multi-zone versions, LU verification. */
static const struct {
  long points, depth, steps;
  double dt;
  struct lu_results results;
} classes[CLASSES] = {
    {24,
     6,
     50,
     0.5,
     {{3.778579699366, 0.3120418698065, 0.8386213407018, 0.4452165980488, 7.808656756434},
      {24.29480066305, 9.072817470024, 10.32621825644, 9.256791727838, 16.39045777714},
      49.64435445706}},
    {64,
     8,
     300,
     1.5e-3,
     {{828.5060230339, 57.53415004693, 202.3477570531, 158.6275182502, 1733.925947816},
      {75.14670702651, 9.776687033238, 21.41754291209, 16.85405918675, 185.6944519722},
      378.1055348911}},
    {128,
     16,
     250,
     2,
     {{1131.574877175, 79.65206944742, 270.5587159526, 212.9567530746, 2260.584655432},
      {111.5694885382, 10.89257673798, 29.05379922066, 22.16126755530, 250.1762341026},
      590.4992211511}},
};

struct zones {
  struct lu_system system[ZONES];
};

struct run {
  struct zones work, serial; /* serial: after `compared` steps */
  struct lu_results start;
  long compared;
  const struct lu_results *published; /* NULL: none of this size */
};

/* ---- one step ---- */

/* The values on both faces across direction d, 0 or 1, from the neighbours along it. Edges of the
 * cube are left out: no point inside needs them. */
static void zone_take(const struct zones *z, int zone, int d) {
  int column = zone % ACROSS, row = zone / ACROSS, other = 1 - d;
  const struct flow_grid *g = &z->system[zone].grid;
  for (int side = -1; side <= 1; side += 2) {
    int from = d == 0 ? row * ACROSS + (column + side + ACROSS) % ACROSS
                      : (row + side + ACROSS) % ACROSS * ACROSS + column;
    const double *there = z->system[from].grid.u;
    long face = side < 0 ? 0 : g->n[d] - 1, inner = side < 0 ? g->n[d] - 2 : 1;
    for (long k = 1; k < g->n[2] - 1; k++) {
      for (long p = 1; p < g->n[other] - 1; p++) {
        long line = k * g->stride[2] + p * g->stride[other];
        memcpy(g->u + line + face * g->stride[d], there + line + inner * g->stride[d],
               NAS_M * sizeof(double));
      }
    }
  }
}

/* Writes the zone's faces and reads inner points of others, so all zones may do it at once. */
static void zone_exchange(const struct zones *z, int zone) {
  zone_take(z, zone, 0);
  zone_take(z, zone, 1);
}

static void step_one_level(const struct zones *z, const struct lu_order *orders, long step) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int zone = 0; zone < ZONES; zone++) {
      zone_exchange(z, zone);
    }
    for (int zone = 0; zone < ZONES; zone++) {
      lu_team_step(&orders[zone], &z->system[zone], step);
    }
  }
}

static void step_two_levels(const struct zones *z, const struct lu_order *orders, long step,
                            struct lv_split split) {
#pragma omp parallel num_threads(split.outer)
  {
#pragma omp for schedule(static)
    for (int zone = 0; zone < ZONES; zone++) {
      zone_exchange(z, zone);
    }
#pragma omp for schedule(static)
    for (int zone = 0; zone < ZONES; zone++) {
#pragma omp parallel num_threads(split.inner)
      lu_team_step(&orders[zone], &z->system[zone], step);
    }
  }
}

static void step_serial(const struct zones *z) {
  for (int zone = 0; zone < ZONES; zone++) {
    zone_exchange(z, zone);
  }
  for (int zone = 0; zone < ZONES; zone++) {
    lu_step_serial(&z->system[zone]);
  }
}

/* ---- all zones ---- */

static void zones_restart(const struct zones *z) {
  for (int zone = 0; zone < ZONES; zone++) {
    lu_restart(&z->system[zone]);
  }
}

static long zones_differences(const struct zones *z, const struct zones *other) {
  long wrong = 0;
  for (int zone = 0; zone < ZONES; zone++) {
    wrong += lu_differences(&z->system[zone], &other->system[zone]);
  }
  return wrong;
}

static struct lu_results zones_results(const struct zones *z) {
  struct lu_results sum = {0};
  for (int zone = 0; zone < ZONES; zone++) {
    struct lu_results one = lu_results(&z->system[zone]);
    for (int m = 0; m < NAS_M; m++) {
      sum.residual[m] += one.residual[m];
      sum.error[m] += one.error[m];
    }
    sum.surface += one.surface;
  }
  return sum;
}

/* ---- runs ---- */

static void run_init(struct run *r, const struct kernel *k, int class, long depth, long compared) {
  long n[3] = {k->size / ACROSS, k->size / ACROSS, depth};
  for (int zone = 0; zone < ZONES; zone++) {
    lu_init(&r->work.system[zone], n, classes[class].dt);
    lu_init(&r->serial.system[zone], n, classes[class].dt);
  }
  zones_restart(&r->serial);
  r->start = zones_results(&r->serial);
  r->compared = compared;
  for (long step = 0; step < compared; step++) {
    step_serial(&r->serial);
  }
  bool whole = k->size == classes[class].points && depth == classes[class].depth &&
               k->iters == classes[class].steps;
  r->published = whole ? &classes[class].results : NULL;
}

/* Steps from <= step < to; returns their seconds. */
static double run_steps(const struct run *r, const struct lu_order *orders, struct lv_split split,
                        long from, long to) {
  double start = kern_now();
  for (long step = from; step < to; step++) {
    if (split.outer == 0) {
      step_one_level(&r->work, orders, step);
    } else {
      step_two_levels(&r->work, orders, step, split);
    }
  }
  return kern_now() - start;
}

static bool run_check(const struct run *r, const struct lu_results *found) {
  bool ok = !r->published || lu_verify(found, r->published);
  for (int m = 0; m < NAS_M; m++) {
    ok &= kern_check(found->residual[m] < r->start.residual[m],
                     "residual norm %d is %.13e, at the start %.13e", m + 1, found->residual[m],
                     r->start.residual[m]);
  }
  return ok;
}

static int run_split(const struct kernel *k, const struct run *r, struct lv_split split,
                     enum lu_form form, long rows) {
  struct lu_order orders[ZONES];
  struct lu_results found = {0};
  bool ok = true;
  double best = INFINITY;
  int members = split.outer == 0 ? kern_threads() : split.inner;
  for (int zone = 0; zone < ZONES; zone++) {
    lu_order_init(&orders[zone], &r->work.system[zone], form, LU_ATOMIC, rows, members);
  }
  for (long rep = 0; rep < k->reps; rep++) {
    for (int zone = 0; zone < ZONES; zone++) {
      lu_order_reset(&orders[zone]);
    }
    zones_restart(&r->work);
    double elapsed = run_steps(r, orders, split, 0, r->compared);
    long wrong = zones_differences(&r->work, &r->serial);
    ok &= kern_check(wrong == 0, "%ld points differ from the serial ones", wrong);
    best = fmin(best, elapsed + run_steps(r, orders, split, r->compared, k->iters));
    found = zones_results(&r->work);
    ok &= run_check(r, &found);
  }
  for (int zone = 0; zone < ZONES; zone++) {
    lu_order_free(&orders[zone]);
  }
  char name[64], kind[32], size[64];
  snprintf(kind, sizeof kind, "lu_mz-%s", lu_forms[form]);
  snprintf(size, sizeof size, "%ldx%ld/%d^2", k->size, k->iters, ACROSS);
  return kern_report(lv_name(name, kind, split), size, best, ok, "%.9e,%.9e,%.9e",
                     found.residual[0], found.error[0], found.surface);
}

int main(int argc, char **argv) {
  int class = choice_take(&argc, argv, "class", class_names);
  int form = choice_take(&argc, argv, "sweep", lu_forms);
  int full = class < 0 ? CLASS_W : class, brief = class < 0 ? CLASS_S : class;
  struct kernel k = {
      .name = "lu_mz",
      .what = "NAS LU-MZ, the flow equations in 16 equal zones, an inner team a zone",
      .size_means = "points along x and y of all zones, a multiple of 4",
      .iters_means = "steps",
      .full = {classes[full].points, classes[full].steps},
      .brief = {classes[brief].points, classes[brief].steps},
  };
  long rows = 0, depth = 0, compared = LONG_MAX;
  struct lv_options levels = {0};
  const struct kern_option extra[] = {
      LV_OPTIONS(levels),
      CHOICE_HELP("class", "S, W or A: points, steps and their length (W; S with --small)"),
      CHOICE_HELP("sweep", "pipe, doacross or tasks (pipe)"),
      {"rows", "N: rows in a tile of doacross and tasks (4)", &rows, NULL},
      {"depth", "N: points along z (that of the class)", &depth, NULL},
      {"compare", "N: steps repeated serially (5; all with --small)", &compared, NULL},
      {NULL, NULL, NULL, NULL},
  };
  kern_parse(&k, extra, argc, argv);
  class = k.small ? brief : full;
  depth = depth > 0 ? depth : classes[class].depth;
  kern_require(&k, k.size % ACROSS == 0 && k.size >= 6 * ACROSS && k.size <= 2000,
               "a multiple of 4 from 24 to 2000 points along x and y");
  kern_require(&k, depth >= 6 && depth <= 500, "6 to 500 points along z");
  kern_require(&k, k.iters >= 1, "1 step or more");
  compared = kern_compared(&k, compared, 5);
  struct lv_split plan[LV_MOST];
  int count = lv_plan(&k, &levels, 4, plan), status = KERN_OK;
  static struct run r; /* static: what is still there at the end is no leak */
  run_init(&r, &k, class, depth, compared);
  for (int i = 0; i < count; i++) {
    status |=
        run_split(&k, &r, plan[i], form < 0 ? LU_PIPE : (enum lu_form)form, rows > 0 ? rows : 4);
  }
  return status;
}
