/* nas_adi_run.h - runs of NAS SP and BT: options, time steps of one box, checks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Regions   one around all time steps (nas_adi_step.h), or with --phases one around each of the
 *           seven loops of a step
 * Check     the five norms of the residual and of the error against the published ones (classes S,
 *           W and A); the first steps, all with --small, bit by bit against one thread; the error
 *           is smaller than at the start.
 */
#ifndef NTH_KERNEL_NAS_ADI_RUN_H
#define NTH_KERNEL_NAS_ADI_RUN_H

#include "nas_adi_step.h"

static inline void run_steps(const struct nas_solver *s, const struct zone *z, long steps,
                             bool phases) {
  if (phases) {
    for (long i = 0; i < steps * STEP_LOOPS; i++) {
#pragma omp parallel
      team_loop(s, z, (int)(i % STEP_LOOPS));
    }
  } else {
#pragma omp parallel
    team_steps(s, z, steps);
  }
}

struct nas_fields {
  struct zone work, start, serial;
  double error[NAS_M]; /* at the start */
};

static inline bool run_checked(const struct kernel *k, const struct nas_class *class,
                               const struct nas_fields *f, struct nas_norms *found) {
  zone_error(&f->work, found->error);
  zone_residual(&f->work, found->residual);
  bool ok = nas_class_norms(k, class, found);
  for (int m = 0; m < NAS_M; m++) {
    ok &= kern_check(found->error[m] < f->error[m], "error[%d] %g, was %g", m, found->error[m],
                     f->error[m]);
  }
  return ok;
}

static inline int nas_run(const struct nas_solver *s, const struct kernel *k,
                          const struct nas_class *class, long compared, bool phases) {
  static struct nas_fields f; /* static: what is still there at the end is no leak */
  const double h = 1 / (double)(k->size - 1);
  const long n[NAS_DIRECTIONS] = {k->size, k->size, k->size};
  const double hs[NAS_DIRECTIONS] = {h, h, h};
  zone_init(&f.work, n, hs, class->dt);
  zone_init(&f.start, n, hs, class->dt);
  zone_init(&f.serial, n, hs, class->dt);
  zone_error(&f.start, f.error);
  team_steps(s, &f.serial, compared); /* outside of a region: a team of one */

  kern_threads();
  struct nas_norms found = {0};
  bool ok = true;
  double best = INFINITY;
  for (long rep = 0; rep < k->reps; rep++) {
    zone_copy(&f.work, &f.start);
    double start = kern_now();
    run_steps(s, &f.work, compared, phases);
    double elapsed = kern_now() - start;
    long wrong = zone_differences(&f.work, &f.serial);
    ok &= kern_check(wrong == 0, "%ld points differ from the serial ones", wrong);
    start = kern_now();
    run_steps(s, &f.work, k->iters - compared, phases);
    best = fmin(best, elapsed + kern_now() - start);
    ok &= run_checked(k, class, &f, &found);
  }
  char size[64];
  snprintf(size, sizeof size, "%ld^3x%ld", k->size, k->iters);
  return kern_report(s->name, size, best, ok, "%.12e,%.12e", found.residual[0], found.error[0]);
}

static inline int nas_main(const struct nas_solver *s, int argc, char **argv) {
  struct kernel k = {
      .name = s->name,
      .what = s->what,
      .size_means = "points along an edge",
      .iters_means = "time steps",
  };
  long compared = LONG_MAX;
  bool phases = false;
  const struct kern_option extra[] = {
      NAS_OPTIONS("S|W|A", &compared),
      {"phases", "a region around each loop, not one around all steps", NULL, &phases},
      {NULL, NULL, NULL, NULL},
  };
  const struct nas_class *class = nas_class_of(&k, s->classes, &argc, argv);
  kern_parse(&k, extra, argc, argv);
  kern_require(&k, k.size >= NAS_FEWEST && k.size <= NAS_MOST, "6 to 128 points along an edge");
  kern_require(&k, k.iters >= 1, "1 step or more");
  return nas_run(s, &k, class, kern_compared(&k, compared, 2), phases);
}

#endif
