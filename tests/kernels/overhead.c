/* overhead.c - spawn and join a parallel loop, over and over, on one level and on two
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Experiment  Martorell et al. 1999, section 4: 1000 times a parallel loop of 4000 (#2), 50000 (#6)
 *             and 400000 (#9) iterations, and of 4096; `--two-level` splits the 4096 into four
 *             sections, each with an inner parallel loop of 1024 (their bar 2L2); `--splits` has
 *             the 4096 on one level and at each split. Their iteration took 25 ns; WORK_STEPS makes
 *             ours about a third of that on a CPU of 3 GHz.
 * Check       each iteration applies x -> A x + C modulo 2^64 to its own element a known number of
 *             times; the power of that map is computed apart, so each element has one exact value.
 */
#include "levels.h"

enum { SECTIONS = 4, SECTION_SIZE = 1024, WORK_STEPS = 16 };

static const uint64_t MAP_FACTOR = UINT64_C(6364136223846793005);
static const uint64_t MAP_TERM = UINT64_C(1442695040888963407);

struct loop {
  uint64_t *elements;
  long size;
  long steps; /* applications of the map in one iteration */
};

/* One copy for both forms: the place of a loop in memory alone changes its time by a fifth. */
__attribute__((noinline)) static uint64_t work(uint64_t x, long steps) {
  for (long i = 0; i < steps; i++) {
    x = x * MAP_FACTOR + MAP_TERM;
  }
  return x;
}

/* The same as work(x, steps), in log(steps). */
static uint64_t work_power(uint64_t x, uint64_t steps) {
  uint64_t factor = MAP_FACTOR, term = MAP_TERM;
  for (; steps; steps >>= 1) {
    if (steps & 1) {
      x = x * factor + term;
    }
    term = term * factor + term;
    factor = factor * factor;
  }
  return x;
}

static void spawn_one_level(const struct loop *l) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < l->size; i++) {
    l->elements[i] = work(l->elements[i], l->steps);
  }
}

static void section_loop(const struct loop *l, int section, int inner) {
  uint64_t *elements = l->elements + section * SECTION_SIZE;
#pragma omp parallel for schedule(static) num_threads(inner)
  for (long i = 0; i < SECTION_SIZE; i++) {
    elements[i] = work(elements[i], l->steps);
  }
}

static void spawn_two_levels(const struct loop *l, struct lv_split split) {
#pragma omp parallel sections num_threads(split.outer)
  {
#pragma omp section
    section_loop(l, 0, split.inner);
#pragma omp section
    section_loop(l, 1, split.inner);
#pragma omp section
    section_loop(l, 2, split.inner);
#pragma omp section
    section_loop(l, 3, split.inner);
  }
}

static void spawn_serial(const struct loop *l) {
  for (long i = 0; i < l->size; i++) {
    l->elements[i] = work(l->elements[i], l->steps);
  }
}

static void loop_reset(const struct loop *l) {
  for (long i = 0; i < l->size; i++) {
    l->elements[i] = (uint64_t)i;
  }
}

static bool verify(const struct loop *l, long spawns, uint64_t *checksum) {
  long wrong = 0;
  *checksum = 0;
  for (long i = 0; i < l->size; i++) {
    wrong += l->elements[i] != work_power((uint64_t)i, (uint64_t)(spawns * l->steps));
    *checksum += l->elements[i] * (uint64_t)(2 * i + 1);
  }
  return kern_check(wrong == 0, "%ld of %ld elements after %ld spawns", wrong, l->size, spawns);
}

enum mode { ONE_LEVEL, TWO_LEVELS, SERIAL };

struct plan {
  long spawns, reps;
  struct lv_split split; /* of the two-level version */
  int threads;
  bool table;
};

/* Seconds of the fastest repetition of `spawns` spawns. */
static double measure(const struct loop *l, const struct plan *plan, enum mode mode, bool *ok,
                      uint64_t *checksum) {
  double best = INFINITY;
  for (long rep = 0; rep < plan->reps; rep++) {
    loop_reset(l);
    double start = kern_now();
    for (long i = 0; i < plan->spawns; i++) {
      switch (mode) {
      case ONE_LEVEL: spawn_one_level(l); break;
      case TWO_LEVELS: spawn_two_levels(l, plan->split); break;
      case SERIAL: spawn_serial(l); break;
      }
    }
    best = fmin(best, kern_now() - start);
    *ok &= verify(l, plan->spawns, checksum);
  }
  return best;
}

static int experiment(const struct plan *plan, const char *label, long size, long steps,
                      enum mode mode) {
  struct loop l = {kern_alloc((size_t)size, sizeof(uint64_t)), size, steps};
  bool ok = true;
  uint64_t checksum = 0;
  char name[96], sizes[64];
  double seconds = measure(&l, plan, mode, &ok, &checksum);
  if (plan->table) {
    double serial = measure(&l, plan, SERIAL, &ok, &checksum);
    double count = (double)plan->spawns;
    printf("# %-4s %8ld iterations: %10.2f us a spawn, serial %10.2f us, overhead %8.2f us\n",
           label, size, 1e6 * seconds / count, 1e6 * serial / count,
           1e6 * (seconds - serial / plan->threads) / count);
  }
  snprintf(name, sizeof name, "overhead-%s", label);
  snprintf(sizes, sizeof sizes, "%ldx%ld", size, plan->spawns);
  free(l.elements);
  return kern_report(name, sizes, seconds, ok, "%016llx", (unsigned long long)checksum);
}

/* The 4096 iterations at each split that is wanted. */
static int two_levels(const struct kernel *k, const struct lv_options *o, struct plan *plan,
                      long steps) {
  struct lv_split splits[LV_MOST];
  int count = lv_plan(k, o, SECTIONS, splits), status = KERN_OK;
  for (int i = 0; i < count; i++) {
    char label[64];
    plan->split = splits[i];
    status |= experiment(plan, lv_name(label, "2l2", plan->split), SECTIONS * SECTION_SIZE, steps,
                         plan->split.outer == 0 ? ONE_LEVEL : TWO_LEVELS);
  }
  return status;
}

int main(int argc, char **argv) {
  struct kernel k = {
      .name = "overhead",
      .what = "spawn and join a parallel loop many times",
      .size_means = "iterations of the loop; 0 = experiments 2, 6, 9 and 4096",
      .iters_means = "spawns",
      .full = {0, 1000},
      .brief = {0, 40},
  };
  long chosen = 0, steps = WORK_STEPS;
  bool two_level = false, table = false;
  struct lv_options levels = {0};
  const struct kern_option extra[] = {
      {"experiment", "N: only experiment 2, 6, 9 or 4096", &chosen, NULL},
      {"work", "N: steps of 1 to 2 ns in an iteration (16)", &steps, NULL},
      {"two-level", "four sections, each with an inner loop of 1024", NULL, &two_level},
      LV_OPTIONS(levels),
      {"table", "also the serial time and the overhead of a spawn", NULL, &table},
      {NULL, NULL, NULL, NULL},
  };
  static const struct {
    const char *label;
    long number, size;
  } experiments[] = {{"2", 2, 4000}, {"4096", 4096, 4096}, {"6", 6, 50000}, {"9", 9, 400000}};
  kern_parse(&k, extra, argc, argv);

  int status = KERN_OK;
  struct plan plan = {k.iters, k.reps, {0, 0}, kern_threads(), table};
  if (two_level || levels.splits) {
    return two_levels(&k, &levels, &plan, steps);
  }
  if (k.size > 0) {
    return experiment(&plan, "n", k.size, steps, ONE_LEVEL);
  }
  bool any = false;
  for (size_t e = 0; e < sizeof experiments / sizeof *experiments; e++) {
    if (chosen == 0 || chosen == experiments[e].number) {
      status |= experiment(&plan, experiments[e].label, experiments[e].size, steps, ONE_LEVEL);
      any = true;
    }
  }
  kern_require(&k, any, "the experiments are 2, 6, 9 and 4096");
  return status;
}
