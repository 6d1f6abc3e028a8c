/* nas_adi_zones_run.h - runs of SP-MZ and BT-MZ: zones on the outer level, a zone's loops inside
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Levels    outer: zones, shared out beforehand by their sizes (the next largest one to the part
 *           that has least), or with --dynamic the largest ones first to whoever is free. Inner:
 *           one region for a zone's time step, with seven loops (nas_adi_step.h). One level: zone
 *           after zone, the loops on all processors.
 * Check     the five norms of the residual and of the error against the published ones (classes S
 *           and W); the first steps, all with --small, bit by bit against one thread. The error
 *           does not fall: neighbours do not continue each other's known solution.
 */
#ifndef NTH_KERNEL_NAS_ADI_ZONES_RUN_H
#define NTH_KERNEL_NAS_ADI_ZONES_RUN_H

#include "levels.h"
#include "nas_adi_zones.h"

/* ---- one step ---- */

static inline void zone_step(const struct nas_solver *s, const struct zone *z, int threads) {
#pragma omp parallel num_threads(threads)
  team_steps(s, z, 1);
}

static inline void step_one_level(const struct nas_solver *s, const struct zones *z) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < z->count; i++) {
      zones_exchange(z, i);
    }
    for (int i = 0; i < z->count; i++) {
      team_steps(s, &z->zone[i], 1);
    }
  }
}

static inline void step_static(const struct nas_solver *s, const struct zones *z,
                               struct lv_split split) {
#pragma omp parallel num_threads(split.outer)
  {
    int num = omp_get_thread_num(), size = omp_get_num_threads();
    for (int i = 0; i < z->count; i++) {
      if (z->part[i] % size == num) {
        zones_exchange(z, i);
      }
    }
#pragma omp barrier
    for (int i = 0; i < z->count; i++) {
      if (z->part[i] % size == num) {
        zone_step(s, &z->zone[i], split.inner);
      }
    }
  }
}

static inline void step_dynamic(const struct nas_solver *s, const struct zones *z,
                                struct lv_split split) {
#pragma omp parallel num_threads(split.outer)
  {
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < z->count; i++) {
      zones_exchange(z, i);
    }
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < z->count; i++) {
      zone_step(s, &z->zone[z->by_size[i]], split.inner);
    }
  }
}

static inline void step_serial(const struct nas_solver *s, const struct zones *z) {
  for (int i = 0; i < z->count; i++) {
    zones_exchange(z, i);
  }
  for (int i = 0; i < z->count; i++) {
    team_steps(s, &z->zone[i], 1); /* outside of a region: a team of one */
  }
}

/* ---- runs ---- */

struct zones_case {
  const struct nas_solver *solver;
  const struct kernel *kernel;
  const struct nas_class *class;
  long compared; /* steps */
  bool dynamic;
  struct zones work, start, serial;
};

static inline void case_init(struct zones_case *c, const long edge[NAS_ACROSS]) {
  zones_init(&c->work, c->class, c->kernel->size, edge);
  zones_init(&c->start, c->class, c->kernel->size, edge);
  zones_init(&c->serial, c->class, c->kernel->size, edge);
  for (long i = 0; i < c->compared; i++) {
    step_serial(c->solver, &c->serial);
  }
}

static inline void case_steps(const struct zones_case *c, struct lv_split split, long steps) {
  for (long i = 0; i < steps; i++) {
    if (split.outer == 0) {
      step_one_level(c->solver, &c->work);
    } else if (c->dynamic) {
      step_dynamic(c->solver, &c->work, split);
    } else {
      step_static(c->solver, &c->work, split);
    }
  }
}

static inline int case_run(struct zones_case *c, struct lv_split split) {
  const struct kernel *k = c->kernel;
  struct nas_norms found = {0};
  bool ok = true;
  double best = INFINITY;
  zones_share_out(&c->work, split.outer > 0 ? split.outer : 1);
  for (long rep = 0; rep < k->reps; rep++) {
    zones_copy(&c->work, &c->start);
    double start = kern_now();
    case_steps(c, split, c->compared);
    double elapsed = kern_now() - start;
    long wrong = zones_differences(&c->work, &c->serial);
    ok &= kern_check(wrong == 0, "%ld points differ from the serial ones", wrong);
    start = kern_now();
    case_steps(c, split, k->iters - c->compared);
    best = fmin(best, elapsed + kern_now() - start);
    zones_norms(&c->work, &found);
    ok &= nas_class_norms(k, c->class, &found);
    ok &= kern_check(isfinite(found.residual[0] + found.error[0]), "no finite norms");
  }
  char name[64], kind[32], size[64];
  snprintf(kind, sizeof kind, "%s%s", c->solver->name, c->dynamic ? "-dynamic" : "");
  snprintf(size, sizeof size, "%ld^2*%ldx%ld/%d^2", k->size, c->class->depth, k->iters,
           c->class->across);
  return kern_report(lv_name(name, kind, split), size, best, ok, "%.12e,%.12e", found.residual[0],
                     found.error[0]);
}

static inline int zones_main(const struct nas_solver *s, int argc, char **argv) {
  struct kernel k = {
      .name = s->name,
      .what = s->what,
      .size_means = "points along x and y, of all zones",
      .iters_means = "time steps",
  };
  static struct zones_case c; /* static: what is still there at the end is no leak */
  long compared = LONG_MAX, edge[NAS_ACROSS];
  struct lv_options levels = {0};
  const struct kern_option extra[] = {
      LV_OPTIONS(levels),
      NAS_OPTIONS("S|W", &compared),
      {"dynamic", "zones to whoever is free, not shared out by size", NULL, &c.dynamic},
      {NULL, NULL, NULL, NULL},
  };
  c.class = nas_class_of(&k, s->classes, &argc, argv);
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= 1 && k.size <= NAS_MOST && k.iters >= 1,
               "128 points along x and y at most, 1 step or more");
  long shortest = zones_cut(k.size, c.class->across, c.class->uneven, edge);
  kern_require(&k, shortest >= NAS_FEWEST, "6 points or more along an edge of each zone");
  c.compared = kern_compared(&k, compared, 2);
  c.solver = s;
  c.kernel = &k;
  struct lv_split plan[LV_MOST];
  int count = lv_plan(&k, &levels, 4, plan), status = KERN_OK;
  case_init(&c, edge);
  for (int i = 0; i < count; i++) {
    status |= case_run(&c, plan[i]);
  }
  return status;
}

#endif
