/* levels.h - what the kernels with two levels of parallelism share: splits and their options
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why     the experiments of Martorell et al. 1999 compare one level of loops with two levels: an
 *         outer team of O members, each the master of an inner team of I, written OxI. Every kernel
 *         takes its split by the same options and prints it in the same way.
 * Use     LV_OPTIONS(o) among the options; lv_plan() after kern_parse(); for each split of the
 *         plan: run, lv_name() for kern_report().
 * Output  KERNEL name split=OxI ...; split=one for the version with one level
 */
#ifndef NTH_KERNEL_LEVELS_H
#define NTH_KERNEL_LEVELS_H

#include "kernel.h"

enum { LV_MOST = 16, LV_TEAM = 1024 };

/* outer 0: one level, of as many threads as a plain region has. */
struct lv_split {
  int outer, inner;
};

struct lv_options {
  long outer, inner;
  bool one_level, splits;
};

#define LV_OPTIONS(o)                                                                              \
  {"one-level", "the version with one level only", NULL, &(o).one_level},                          \
      {"outer", "N: threads on the outer level (the threads, 4 at most)", &(o).outer, NULL},       \
      {"inner", "N: threads of each inner team (threads / outer)", &(o).inner, NULL}, {            \
    "splits", "one level, then 1x1 to 4x2: a line each", NULL, &(o).splits                         \
  }

/* Teams grow and shrink from one to the next, on either level. */
static const struct lv_split lv_all[] = {{0, 0}, {1, 1}, {2, 1}, {1, 2}, {2, 2},
                                         {4, 1}, {1, 4}, {3, 2}, {2, 3}, {4, 2}};

/* The splits to run, at most LV_MOST; returns how many. `parts`: of how many the outer level can
 * use. */
static inline int lv_plan(const struct kernel *k, const struct lv_options *o, int parts,
                          struct lv_split *plan) {
  kern_require(k, o->outer <= LV_TEAM && o->inner <= LV_TEAM, "at most 1024 threads a team");
  kern_require(k, !o->splits || (o->outer == 0 && o->inner == 0 && !o->one_level),
               "--splits has splits of its own");
  int threads = kern_threads(), count = sizeof lv_all / sizeof *lv_all;
  omp_set_max_active_levels(2);
  if (o->splits) {
    memcpy(plan, lv_all, sizeof lv_all);
    return count;
  }
  plan[0] = (struct lv_split){0, 0};
  if (!o->one_level) {
    int outer = o->outer > 0 ? (int)o->outer : threads < parts ? threads : parts;
    int inner = threads > outer ? threads / outer : 1;
    plan[0] = (struct lv_split){outer, o->inner > 0 ? (int)o->inner : inner};
  }
  return 1;
}

/* "name split=2x1" */
static inline const char *lv_name(char text[64], const char *name, struct lv_split s) {
  if (s.outer == 0) {
    snprintf(text, 64, "%s split=one", name);
  } else {
    snprintf(text, 64, "%s split=%dx%d", name, s.outer, s.inner);
  }
  return text;
}

#endif
