/* blend.h - what the parts of blend.c share: jobs, teams, sums, and the programs that run */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A program is a tree of jobs that a seed determines. Each job adds one to its team's sum and has
   each of its children done once, by tasks, loops, regions or whatever it draws: so what a job adds
   is the number of jobs in its tree, which share() reckons serially, whatever the constructs. */
#ifndef BLEND_H
#define BLEND_H

#include "check.h"

enum { ROOTS = 3, LEVELS = 3, SIDE = 12 };

/* Whether jobs in inner regions and target regions take locks that tasks outside have while they
 * wait. nanogomp lets a suspended task have many turns before such a region, not as many as it may
 * need. */
static bool outside;

/* What a job may not do. */
enum { NO_HOLD = 1 /* take the team's lock `held` */ };

/* A taskgroup that was cancelled: what its tasks counted, looked at again when all is over. */
struct group {
  struct group *next;
  long begun, ended, final;
};

/* What the jobs of one region share. */
struct team {
  long sum, alone[4]; /* by atomic; under critical(blend), `lock`, `held`, `nest` */
  long tickets, ticket_sum;
  long scratch[2]; /* of reductions */
  int next;        /* turn of an ordered loop */
  int line[SIDE * SIDE], grid[SIDE][SIDE];
  omp_lock_t lock, held;
  omp_nest_lock_t nest;
  struct group *groups;
  bool sizes_free; /* regions may be smaller than asked */
};

struct job {
  struct team *team;
  uint64_t seed;
  int depth, level; /* generations to come; regions around it */
  unsigned flags;
};

typedef void kind_fn(struct job j, uint32_t many, uint32_t draw);

static bool own;   /* the library is nanogomp */
static bool alone; /* a fork's child: another root's member may have had a critical construct */

static struct {
  _Atomic(uint64_t) seed;
  _Atomic(double) since;
} running[ROOTS];

static void body(struct job j);

static void say_seeds(const char *why) {
  for (int r = 0; r < ROOTS; r++) {
    if (running[r].seed != 0)
      fprintf(stderr, "%s: program of seed %" PRIu64 "\n", why, running[r].seed);
  }
}

#define CHECK_SUM(actual, expected)                                                                \
  do {                                                                                             \
    long long blend_a = (long long)(actual), blend_e = (long long)(expected);                      \
    if (blend_a != blend_e) {                                                                      \
      say_seeds("failed");                                                                         \
      check_fail_eq(__FILE__, __LINE__, #actual, blend_a, #expected, blend_e);                     \
    }                                                                                              \
  } while (0)

#define CHECK_THAT(condition) CHECK_SUM(!!(condition), 1)

static void add(struct team *t, long n) {
#pragma omp atomic
  t->sum += n;
}

static struct job child(struct job j, uint32_t k) {
  uint64_t state = j.seed + 7919 * (uint64_t)k;
  uint64_t high = check_random(&state);
  j.seed = high << 32 ^ check_random(&state);
  j.depth--;
  return j;
}

static uint32_t children(struct job j) {
  uint64_t state = j.seed;
  return j.depth > 0 ? 1 + check_random(&state) % 4 : 0;
}

/* What the job adds. */
static long share(struct job j) {
  long sum = 1;
  for (uint32_t k = 0; k < children(j); k++)
    sum += share(child(j, k));
  return sum;
}

static struct job job_of(struct team *t, uint32_t draw, int depth, int level) {
  return (struct job){t, draw * 2654435761u + (uint64_t)depth, depth, level, 0};
}

/* A priority; libgomp 12 crashes by some. */
static int urgent(uint32_t priority) { return own ? (int)priority : 0; }

static int now(int *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }

static void begin_team(struct team *t) {
  memset(t, 0, sizeof *t);
  omp_init_lock(&t->lock);
  omp_init_lock(&t->held);
  omp_init_nest_lock(&t->nest);
}

/* After the region: what its jobs have counted; nothing counts in ended groups. */
static long end_team(struct team *t) {
  long sum = t->sum;
  for (int i = 0; i < 4; i++)
    sum += t->alone[i];
  CHECK_SUM(t->ticket_sum, t->tickets * (t->tickets - 1) / 2);
  while (t->groups) {
    struct group *g = t->groups;
    CHECK_SUM(g->begun, g->final);
    CHECK_SUM(g->ended, g->final);
    t->groups = g->next;
    free(g);
  }
  omp_destroy_lock(&t->lock);
  omp_destroy_lock(&t->held);
  omp_destroy_nest_lock(&t->nest);
  return sum;
}

#endif
