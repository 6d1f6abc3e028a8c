/* fork.c - nthbench-fork: fork and join on one and two levels, with the events that they cost
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * nthbench-fork [--levels A | --levels AxB] [--size N] [--ms T | --spawns N] [--soft | --count
 * EVENT] nthbench-fork probe EVENT ...
 *
 * A spawn is what the overhead benchmark of Martorell et al. 1999 (section 4, figures 3 and 4) does
 * once: a loop of N iterations on A threads; or on two levels four parts, shared out among A
 * threads, each part a loop of N/4 on B threads. So two levels are five regions. N is 0 by default:
 * nothing but forks and joins. Parts are more than four where A is.
 *
 * Prints `regions R` (of a spawn), `spawn NS` (median of the batches), `spawns M`, and `count NAME
 * C` for what was counted in all M of them. Status 3: wrong answer or a team of another size.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "count.h"

enum { PARTS = 4, WORK_STEPS = 16, BATCHES = 500, LEAST_BATCHES = 5, WARM_SPAWNS = 200 };
#define BATCH_NS 1000000
#define WARM_NS 20000000

struct plan {
  int outer, inner; /* inner 0: one level */
  int parts;
  long size;       /* iterations in all */
  long ms, spawns; /* spawns 0: as many as take ms */
  bool soft;
  const char *event;
  uint64_t *elements;
};

static struct plan plan = {.ms = 150};
static long spawned;             /* since the elements were 0 */
static volatile int seen_inner;  /* size of a team that had another size than asked for */
static volatile int seen_levels; /* of active regions, where there was another number */

static uint64_t work(uint64_t x) {
  for (int i = 0; i < WORK_STEPS; i++)
    x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return x;
}

static void loop(int part, int threads, long size) {
  uint64_t *elements = plan.elements + part * size;
#pragma omp parallel num_threads(threads)
  {
    if (size > 0) {
#pragma omp for schedule(static) nowait
      for (long i = 0; i < size; i++)
        elements[i] = work(elements[i]);
    } else {
      bench_nothing();
    }
  }
}

static void spawn(void) {
  if (plan.inner == 0) {
    loop(0, plan.outer, plan.size);
  } else {
#pragma omp parallel for schedule(static, 1) num_threads(plan.outer)
    for (int part = 0; part < plan.parts; part++)
      loop(part, plan.inner, plan.size / plan.parts);
  }
}

static double spawn_many(long n) {
  int64_t start = bench_now();
  for (long i = 0; i < n; i++)
    spawn();
  spawned += n;
  return (double)(bench_now() - start);
}

/* The teams are what they are said to be: else the figures would be those of something else. */
static void look_at_team(int wanted, int levels) {
#pragma omp parallel num_threads(wanted)
  {
    if (omp_get_num_threads() != wanted)
      seen_inner = omp_get_num_threads();
    if (omp_get_active_level() != levels)
      seen_levels = omp_get_active_level() + 1;
  }
}

static int check_teams(void) {
  int outer = plan.outer;
  if (plan.inner == 0) {
    look_at_team(outer, outer > 1);
  } else {
#pragma omp parallel num_threads(outer)
    {
#pragma omp single nowait
      outer = omp_get_num_threads();
      look_at_team(plan.inner, (plan.outer > 1) + (plan.inner > 1));
    }
  }
  if (outer == plan.outer && seen_inner == 0 && seen_levels == 0)
    return 0;
  fprintf(stderr,
          "nthbench-fork: wanted teams of %d and %d, had others (outer %d, inner %d, level %d)\n",
          plan.outer, plan.inner, outer, seen_inner, seen_levels - 1);
  return 3;
}

static int check_elements(void) {
  uint64_t expected = 0;
  for (long i = 0; i < spawned; i++)
    expected = work(expected);
  for (long i = 0; i < plan.size; i++) {
    if (plan.elements[i] != expected) {
      fprintf(stderr, "nthbench-fork: element %ld is wrong after %ld spawns\n", i, spawned);
      return 3;
    }
  }
  return 0;
}

/* The least time of a spawn: one that lost its CPU would make a batch of too few. */
static double warm_up(void) {
  int64_t start = bench_now();
  double least = spawn_many(1);
  for (long i = 1; i < WARM_SPAWNS && bench_now() - start < WARM_NS; i++) {
    double took = spawn_many(1);
    if (took < least)
      least = took;
  }
  return least > 1 ? least : 1;
}

/* Batches of about a millisecond; their number is bounded. */
static double measure_batches(double least) {
  static double took[BATCHES];
  int count = 0;
  long batch = (long)(BATCH_NS / least) + 1;
  int64_t start = bench_now();
  while (count < BATCHES && (count < LEAST_BATCHES || bench_now() - start < plan.ms * 1000000))
    took[count++] = spawn_many(batch) / (double)batch;
  return bench_median(took, count);
}

static int measure(void) {
  char why[COUNT_WHY] = "";
  long long before[COUNT_SOFTS] = {0}, event_before = 0;
  if (plan.event && !count_open(plan.event, why)) {
    fprintf(stderr, "nthbench-fork: %s: %s\n", plan.event, why);
    return 4;
  }
  if (plan.soft && !count_open_soft(why)) {
    fprintf(stderr, "nthbench-fork: software events: %s\n", why);
    return 4;
  }
  double took, least = warm_up();
  for (int i = 0; plan.soft && i < COUNT_SOFTS; i++)
    before[i] = count_read_soft(i);
  if (plan.event)
    event_before = count_read();
  long begun = spawned;
  if (plan.spawns > 0)
    took = spawn_many(plan.spawns) / (double)plan.spawns;
  else
    took = measure_batches(least);
  if (plan.event)
    printf("count %s %lld\n", plan.event, count_read() - event_before);
  for (int i = 0; plan.soft && i < COUNT_SOFTS; i++) {
    if (before[i] >= 0)
      printf("count %s %lld\n", count_softs[i].name, count_read_soft(i) - before[i]);
  }
  printf("regions %d\nspawn %.1f\nspawns %ld\n", plan.inner ? 1 + plan.parts : 1, took,
         spawned - begun);
  int wrong = check_teams();
  return wrong ? wrong : check_elements();
}

/* What can be counted here, a line each. */
static int probe(char **names) {
  char why[COUNT_WHY] = "";
  bool hardware = count_hardware(why);
  printf("hardware %s %s\n", hardware ? "yes" : "no", hardware ? "" : why);
  const char *version = count_papi(why);
  printf("papi %s %s\n", version ? "yes" : "no", version ? version : why);
  bool soft = count_open_soft(why);
  printf("soft %s %s\n", soft ? "yes" : "no", soft ? "" : why);
  for (; *names; names++) {
    bool works = count_open(*names, why);
    printf("event %s %s %s\n", *names, works ? "yes" : "no", works ? "" : why);
    count_close();
  }
  return 0;
}

static int usage(void) {
  fprintf(stderr,
          "usage: nthbench-fork [--levels A | --levels AxB] [--size N] [--ms T | --spawns N]\n"
          "                     [--soft | --count EVENT]\n"
          "       nthbench-fork probe EVENT ...\n");
  return 2;
}

/* A or AxB */
static bool parse_levels(const char *text) {
  char end;
  plan.inner = 0;
  if (sscanf(text, "%d%c", &plan.outer, &end) == 1)
    return plan.outer > 0;
  return sscanf(text, "%dx%d%c", &plan.outer, &plan.inner, &end) == 2 && plan.outer > 0 &&
         plan.inner > 0;
}

static bool parse(int argc, char **argv) {
  plan.outer = omp_get_max_threads();
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    char end;
    if (strcmp(argv[i], "--soft") == 0) {
      plan.soft = true;
      continue;
    }
    i++;
    if (strcmp(argv[i - 1], "--levels") == 0) {
      if (!parse_levels(value))
        return false;
    } else if (strcmp(argv[i - 1], "--count") == 0 && *value) {
      plan.event = value;
    } else {
      long *to = strcmp(argv[i - 1], "--size") == 0     ? &plan.size
                 : strcmp(argv[i - 1], "--ms") == 0     ? &plan.ms
                 : strcmp(argv[i - 1], "--spawns") == 0 ? &plan.spawns
                                                        : NULL;
      if (!to || sscanf(value, "%ld%c", to, &end) != 1 || *to < 0)
        return false;
    }
  }
  return plan.size <= 1L << 30 && plan.outer <= 4096 && plan.inner <= 4096;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "probe") == 0)
    return probe(argv + 2);
  if (!parse(argc, argv))
    return usage();
  plan.parts = plan.inner == 0 ? 1 : plan.outer > PARTS ? plan.outer : PARTS;
  plan.size -= plan.size % plan.parts;
  plan.elements = calloc((size_t)plan.size + 1, sizeof *plan.elements);
  if (!plan.elements)
    return 1;
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  return measure();
}
