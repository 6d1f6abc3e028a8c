/* blend_regions.h - regions of blend.c: parallel with all clauses, cancelled ones, target, teams */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef BLEND_REGIONS_H
#define BLEND_REGIONS_H

#include "blend.h"
#include "blend_team.h"

/* What the members of a region are to do. */
struct crew {
  struct team *team;
  struct job outer; /* whose children are done in a loop */
  uint32_t many, parts;
  uint64_t draws;
  int depth, level, wanted; /* wanted: its size */
  long expected;
  int members;
};

static int brought;
#pragma omp threadprivate(brought)

static void member(struct crew *c) {
  uint64_t draws = c->draws;
  long sum = 0;
  if (!c->team->sizes_free)
    CHECK_SUM(omp_get_num_threads(), c->wanted);
#pragma omp atomic
  c->members++;
  if (c->many > 0) {
#pragma omp for schedule(dynamic) nowait
    for (uint32_t k = 0; k < c->many; k++)
      body(child(c->outer, k));
  }
  for (uint32_t k = 0; k < c->parts; k++) {
    uint32_t what = check_random(&draws) % PARTS, draw = check_random(&draws);
    sum += parts[what](c->team, draw, c->depth, c->level);
  }
  if (omp_get_thread_num() == 0)
    c->expected = sum;
}

static void region_of_clauses(struct crew *c, uint32_t draw) {
  int before = omp_get_max_threads(), size = c->wanted;
  switch (c->level > 1 && draw % 9 == 5 ? 8 : draw % 9) {
  case 0:
#pragma omp parallel num_threads(size) if (size > 1)
    member(c);
    break;
  case 1:
#pragma omp parallel num_threads(size) proc_bind(close)
    member(c);
    break;
  case 2:
#pragma omp parallel num_threads(size) proc_bind(spread)
    member(c);
    break;
  case 3:
#pragma omp parallel num_threads(size) proc_bind(primary)
    member(c);
    break;
  case 4: omp_set_num_threads(size);
#pragma omp parallel
    {
      omp_set_num_threads(7);
      member(c);
      CHECK_SUM(omp_get_max_threads(), 7);
    }
    CHECK_SUM(omp_get_max_threads(), size);
    omp_set_num_threads(before);
    break;
  case 5: brought = (int)draw;
#pragma omp parallel num_threads(size) copyin(brought)
    {
      CHECK_SUM(brought, (int)draw);
      member(c);
    }
    break;
  case 6: {
    long sum = 3, size_seen = 0;
#pragma omp parallel num_threads(size) reduction(task, + : sum) reduction(max : size_seen)
    {
      size_seen = omp_get_num_threads();
      for (int k = 0; k < 3; k++) {
#pragma omp task in_reduction(+ : sum) untied
        sum += 4;
      }
      member(c);
    }
    CHECK_SUM(sum, 3 + 12 * size_seen);
  } break;
  case 7: {
    int last = -1, trips = 1 + (int)(draw / 9 % 40), all = 0;
#pragma omp parallel num_threads(size) firstprivate(before)
    {
#pragma omp for schedule(guided, 2) lastprivate(last) nowait
      for (int i = 0; i < trips; i++)
        last = i;
#pragma omp scope reduction(+ : all)
      all += 2;
      CHECK_SUM(all, 2 * omp_get_num_threads());
      member(c);
      CHECK_SUM(before, omp_get_max_threads());
    }
    CHECK_SUM(last, trips - 1);
  } break;
  default:
#pragma omp parallel num_threads(size)
    member(c);
  }
}

static int size_of(uint32_t draw, int level, bool *serial) {
  int size = level == 0 ? 1 + (int)(draw % 9) : draw % 5 ? 1 + (int)(draw % 3) : 5;
  if (level == 0 && draw / 16 % 4 == 0)
    size = omp_get_max_threads();
  *serial = omp_get_active_level() >= omp_get_max_active_levels();
  return *serial ? 1 : size;
}

static void region(struct job j, uint32_t many, uint32_t draw) {
  struct team t;
  bool serial;
  struct crew c = {.team = &t, .outer = j, .many = many, .draws = draw};
  if (j.level >= LEVELS) {
    serially(j, many, draw);
    return;
  }
  c.wanted = size_of(draw / 32, j.level, &serial);
  c.parts = draw / 8 % (j.level == 0 ? 8 : 3);
  c.depth = j.depth > 2 ? 2 : j.depth - 1;
  c.level = c.outer.level = j.level + 1;
  c.outer.flags |= outside ? 0 : NO_HOLD;
  begin_team(&t);
  t.sizes_free = j.team->sizes_free;
  if (serial) {
#pragma omp parallel num_threads(3)
    member(&c);
  } else
    region_of_clauses(&c, draw / 3);
  CHECK_SUM(end_team(&t), c.expected);
  if (!t.sizes_free)
    CHECK_SUM(c.members, c.wanted);
}

/* A region that a member cancels: what is begun is ended. */
static void cancelled_region(struct job j, uint32_t many, uint32_t draw) {
  struct group g = {0};
  bool serial, fatal = draw % 4 != 0;
  int size = size_of(draw / 32, j.level, &serial), victim = (int)(draw / 8 % 16) % size;
  int rounds = 1 + (int)(draw / 128 % 3);
  long most = (long)size * rounds * many + rounds * 20;
  if (j.level >= LEVELS) {
    serially(j, many, draw);
    return;
  }
#pragma omp parallel num_threads(size)
  for (int round = 0; round < rounds; round++) {
    for (uint32_t k = 0; k < many; k++) {
#pragma omp task shared(g) firstprivate(k) untied
      {
        begin_in(&g);
        if (k % 2) {
#pragma omp taskyield
        }
        end_in(&g);
      }
    }
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 20; i++) {
      begin_in(&g);
      end_in(&g);
    }
    if (draw / 64 % 2) {
#pragma omp barrier
    }
    if (omp_get_thread_num() == victim && fatal && round == rounds - 1) {
#pragma omp cancel parallel
    }
#pragma omp cancellation point parallel
  }
  CHECK_SUM(g.ended, g.begun);
  CHECK_THAT(g.begun <= most);
  if (!j.team->sizes_free && (!fatal || !omp_get_cancellation()))
    CHECK_SUM(g.begun, most);
  serially(j, many, draw);
}

/* --- on the host device --- */

static void on_target(struct job j, uint32_t many, uint32_t draw) {
  bool once = draw % 2 || !own; /* libgomp 12 frees what it has not allocated */
  int x = 0;
  j.flags |= outside ? 0 : NO_HOLD;
  if (once) {
#pragma omp target map(tofrom : x)
    {
      x++;
      serially(j, many, draw);
    }
  } else {
    for (uint32_t k = 0; k < many; k++) {
      struct job c = child(j, k);
#pragma omp target nowait depend(inout : x) firstprivate(c) map(tofrom : x)
      {
        x++;
        body(c);
      }
    }
#pragma omp taskwait
  }
  CHECK_SUM(x, once ? 1 : many);
}

/* Only outside of regions. */
static void in_league(struct job j, uint32_t many, uint32_t draw) {
  int leagues = 1 + (int)(draw % 3);
  long teams = 0;
  j.team->sizes_free = true; /* thread_limit */
#pragma omp teams num_teams(leagues) thread_limit(4) reduction(+ : teams)
  {
    teams++;
#pragma omp distribute
    for (uint32_t k = 0; k < many; k++) {
#pragma omp parallel num_threads(2)
#pragma omp single
      body(child(j, k));
    }
  }
  CHECK_THAT(teams >= 1 && teams <= leagues);
}

#endif
