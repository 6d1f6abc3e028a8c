/* blend_team.h - what all members of a team of blend.c do: loops, sections, barriers and so on */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Each function is called by all members with the same draw; it returns what they add together. */
#ifndef BLEND_TEAM_H
#define BLEND_TEAM_H

#include "blend.h"
#include "blend_sync.h"

typedef long part_fn(struct team *t, uint32_t draw, int depth, int level);

static void iterate(struct team *t, uint32_t draw, int i) {
  if ((i + (int)draw) % 7)
    add(t, 1);
  else {
#pragma omp task firstprivate(t, draw) untied
    count(job_of(t, draw, 0, 0), draw);
  }
}

static long plain_loops(struct team *t, uint32_t draw, int depth, int level) {
  int trips = (int)(draw % 61), chunk = 1 + (int)(draw / 61 % 5);
  (void)depth, (void)level;
#pragma omp for schedule(static) nowait
  for (int i = 0; i < trips; i++)
    iterate(t, draw, i);
#pragma omp for schedule(dynamic, chunk) nowait
  for (unsigned long long i = 0; i < (unsigned long long)trips * 3; i += 3)
    iterate(t, draw, (int)i);
#pragma omp for schedule(guided) nowait
  for (long i = trips - 1; i >= 0; i--)
    iterate(t, draw, (int)i);
#pragma omp for schedule(static, chunk) nowait collapse(2)
  for (int i = 0; i < trips; i++)
    for (short k = 4; k > 0; k -= 2)
      iterate(t, draw, i + k);
#pragma omp for schedule(nonmonotonic : dynamic) nowait
  for (unsigned long long i = ~0ull; i > ~0ull - (unsigned long long)trips; i--)
    iterate(t, draw, (int)(i & 63));
  if (draw / 1024 % 2) {
#pragma omp barrier
  }
  return 6 * trips;
}

static long runtime_loops(struct team *t, uint32_t draw, int depth, int level) {
  static const omp_sched_t kinds[] = {omp_sched_static,  omp_sched_dynamic,
                                      omp_sched_guided,  omp_sched_auto,
                                      omp_sched_dynamic, omp_sched_monotonic | omp_sched_dynamic};
  int trips = (int)(draw % 41);
  (void)depth, (void)level;
  for (int turn = 0; turn < 3; turn++) {
    omp_set_schedule(kinds[(draw + (unsigned)turn) % 6], (int)(draw / 41 % 4));
#pragma omp for schedule(runtime) nowait
    for (int i = 0; i < trips; i++)
      iterate(t, draw, i);
#pragma omp for schedule(runtime)
    for (unsigned long long i = (unsigned long long)trips; i > 0; i--)
      iterate(t, draw, (int)i);
  }
  return 6 * trips;
}

static long ordered_loop(struct team *t, uint32_t draw, int depth, int level) {
  int trips = (int)(draw % 67), chunk = 1 + (int)(draw / 67 % 3);
  (void)depth, (void)level;
#pragma omp for ordered schedule(dynamic, chunk)
  for (int i = 0; i < trips; i++) {
    add(t, 1);
    if (i % 3 == 0) {
#pragma omp ordered
      CHECK_SUM(t->next++, i / 3 * 2);
    } else if (i % 3 == 1) {
#pragma omp ordered
      {
        CHECK_SUM(t->next++, i / 3 * 2 + 1);
        iterate(t, draw, i);
      }
    }
  }
#pragma omp single
  t->next = 0;
#pragma omp for ordered schedule(static, chunk)
  for (unsigned long long i = 0; i < (unsigned long long)trips; i++) {
#pragma omp ordered
    CHECK_SUM(t->next++, i);
  }
#pragma omp single
  t->next = 0;
  return trips + (trips + 1) / 3;
}

static long doacross(struct team *t, uint32_t draw, int depth, int level) {
  int trips = (int)(draw % (SIDE * SIDE)), chunk = 1 + (int)(draw / 256 % 3);
  (void)depth, (void)level;
  switch (draw / 1024 % 3) {
  case 0:
#pragma omp for ordered(1) schedule(dynamic, chunk)
    for (int i = 1; i < trips; i++) {
      iterate(t, draw, i);
#pragma omp ordered depend(sink : i - 1)
      t->line[i] = t->line[i - 1] + 1;
#pragma omp ordered depend(source)
    }
#pragma omp single
    {
      CHECK_SUM(t->line[trips > 0 ? trips - 1 : 0], trips > 0 ? trips - 1 : 0);
      memset(t->line, 0, sizeof t->line);
    }
    return trips > 0 ? trips - 1 : 0;
  case 1:
#pragma omp for ordered(1) schedule(static, chunk)
    for (long i = trips - 1; i > 2; i -= 2) {
#pragma omp ordered depend(sink : i + 2)
      t->line[i - 2] = t->line[i] + 1;
#pragma omp ordered depend(source)
      iterate(t, draw, (int)i);
    }
#pragma omp single
    memset(t->line, 0, sizeof t->line);
    return trips > 3 ? (trips - 2) / 2 : 0;
  default:
#pragma omp for ordered(2) schedule(dynamic) collapse(1)
    for (int i = 1; i < SIDE; i++)
      for (int k = 1; k < SIDE; k++) {
#pragma omp ordered depend(sink : i - 1, k) depend(sink : i, k - 1)
        t->grid[i][k] = 1 + t->grid[i - 1][k] + t->grid[i][k - 1];
#pragma omp ordered depend(source)
      }
#pragma omp single
    {
      CHECK_SUM(t->grid[SIDE - 1][SIDE - 1], 705431); /* C(22, 11) - 1 */
      memset(t->grid, 0, sizeof t->grid);
    }
    return 0;
  }
}

static long loop_of_jobs(struct team *t, uint32_t draw, int depth, int level) {
  int trips = (int)(draw % 9);
  long sum = 0;
  for (int i = 0; i < trips; i++)
    sum += share(job_of(t, draw + (unsigned)i, depth, level));
#pragma omp for schedule(dynamic) nowait
  for (int i = 0; i < trips; i++)
    body(job_of(t, draw + (unsigned)i, depth, level));
#pragma omp for schedule(static, 1)
  for (int i = 0; i < trips; i++) {
    struct job j = job_of(t, draw + (unsigned)i, depth, level);
#pragma omp task firstprivate(j)
    body(j);
  }
  return 2 * sum;
}

static long reductions(struct team *t, uint32_t draw, int depth, int level) {
  long *p = &t->scratch[0], *q = &t->scratch[1];
  int trips = (int)(draw % 50);
  (void)depth, (void)level;
#pragma omp single
  *p = *q = 0;
#pragma omp for reduction(+ : p[ : 1]) schedule(dynamic) nowait
  for (int i = 0; i < trips; i++)
    p[0] += i;
#pragma omp for reduction(task, + : q[ : 1]) schedule(static, 2)
  for (int i = 0; i < trips; i++) {
    q[0]++;
#pragma omp task in_reduction(+ : q[ : 1]) untied
    q[0] += 2;
  }
#pragma omp sections reduction(task, + : q[ : 1])
  {
#pragma omp section
#pragma omp task in_reduction(+ : q[ : 1])
    q[0] += 10;
#pragma omp section
    q[0] += 20;
  }
  CHECK_SUM(*p, trips * (trips - 1) / 2);
  CHECK_SUM(*q, 3 * trips + 30);
#pragma omp barrier
  return 0;
}

static long parted(struct team *t, uint32_t draw, int depth, int level) {
#pragma omp sections nowait
  {
#pragma omp section
    body(job_of(t, draw, depth, level));
#pragma omp section
#pragma omp task untied
    body(job_of(t, draw + 1, depth, level));
#pragma omp section
    count(job_of(t, draw, 0, 0), draw);
#pragma omp section
#pragma omp taskgroup
#pragma omp task
    body(job_of(t, draw + 2, depth, level));
  }
  if (draw % 2) {
#pragma omp barrier
  }
  return 1 + share(job_of(t, draw, depth, level)) + share(job_of(t, draw + 1, depth, level)) +
         share(job_of(t, draw + 2, depth, level));
}

static long ones(struct team *t, uint32_t draw, int depth, int level) {
  long seen[2] = {0, 0};
  int filter = (int)(draw / 8) % omp_get_num_threads();
  struct job j = job_of(t, draw, depth, level);
#pragma omp single copyprivate(seen)
  {
    seen[0] = (long)(draw % 1000);
    body(j);
    seen[1] = seen[0] + 1;
  }
  CHECK_SUM(seen[1], (long)(draw % 1000) + 1);
#pragma omp single nowait
  body(j);
#pragma omp masked filter(filter)
  body(j);
#pragma omp master
  body(j);
#pragma omp scope nowait
  add(t, 1);
  return 4 * share(j) + omp_get_num_threads();
}

static long everybody(struct team *t, uint32_t draw, int depth, int level) {
  struct job j = job_of(t, draw, depth, level);
  long size = omp_get_num_threads();
  switch (draw % 4) {
  case 0: count(j, draw / 4); return size;
  case 1: body(j); return size * share(j);
  case 2:
#pragma omp task firstprivate(j) untied
    body(j);
#pragma omp barrier
    return size * share(j);
  default:
#pragma omp taskgroup
#pragma omp task firstprivate(j)
    body(j);
#pragma omp barrier
#pragma omp barrier
    return size * share(j);
  }
}

/* Loops and sections that are cancelled: as many iterations as begun, each whole. */
static long cancelled_loop(struct team *t, uint32_t draw, int depth, int level) {
  int trips = 1 + (int)(draw % 60), fatal = (int)(draw / 64 % 80);
  long *p = &t->scratch[0];
  (void)depth, (void)level;
#pragma omp single
  *p = 0;
  if (draw / 8192 % 2) {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < trips; i++) {
#pragma omp cancellation point for
#pragma omp atomic
      p[0]++;
#pragma omp cancel for if (i == fatal)
#pragma omp atomic
      p[0]++;
    }
  } else {
#pragma omp for schedule(static)
    for (unsigned long long i = 0; i < (unsigned long long)trips; i++) {
#pragma omp atomic
      p[0] += 2;
#pragma omp cancel for if (i == (unsigned long long)fatal)
    }
  }
  if (fatal >= trips || !omp_get_cancellation())
    CHECK_SUM(*p, 2 * trips);
  CHECK_THAT(*p >= 0 && *p <= 2 * trips);
#pragma omp barrier
  return 0;
}

static long cancelled_sections(struct team *t, uint32_t draw, int depth, int level) {
  struct job j = job_of(t, draw, depth, level);
  long *p = &t->scratch[1];
#pragma omp single
  *p = 0;
#pragma omp sections
  {
#pragma omp section
    {
      body(j);
#pragma omp atomic
      p[0] += share(j);
#pragma omp cancel sections if (draw / 2 % 2)
    }
#pragma omp section
    {
#pragma omp cancellation point sections
      body(j);
#pragma omp atomic
      p[0] += share(j);
    }
#pragma omp section
    {
      body(j);
#pragma omp atomic
      p[0] += share(j);
#pragma omp cancel sections
    }
  }
  long whole = *p;
#pragma omp barrier
  CHECK_THAT(whole > 0 && whole <= 3 * share(j));
  return whole;
}

static part_fn *const parts[] = {plain_loops,  runtime_loops, ordered_loop,   doacross,
                                 loop_of_jobs, reductions,    parted,         ones,
                                 everybody,    everybody,     cancelled_loop, cancelled_sections};
enum { PARTS = sizeof parts / sizeof *parts };

#endif
