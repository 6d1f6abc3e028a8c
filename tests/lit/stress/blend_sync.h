/* blend_sync.h - jobs of blend.c with locks, critical and atomic; cancelled taskgroups */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef BLEND_SYNC_H
#define BLEND_SYNC_H

#include "blend.h"
#include "blend_tasks.h"

static void count_by_trying(struct team *t, uint32_t draw, bool held) {
  omp_lock_t *lock = held ? &t->held : &t->lock;
  while (!omp_test_lock(lock)) {
#pragma omp taskyield
  }
  check_count_alone(&t->alone[held ? 2 : 1], draw);
  omp_unset_lock(lock);
}

static void count_nested(struct team *t, uint32_t draw) {
  if (draw % 3 == 0) {
    while (omp_test_nest_lock(&t->nest) == 0) {
#pragma omp taskyield
    }
  } else
    omp_set_nest_lock(&t->nest);
  omp_set_nest_lock(&t->nest);
  CHECK_SUM(omp_test_nest_lock(&t->nest), 3);
  check_count_alone(&t->alone[3], draw);
  omp_unset_nest_lock(&t->nest);
  omp_unset_nest_lock(&t->nest);
  omp_unset_nest_lock(&t->nest);
}

/* Counts one, alone. */
static void count(struct job j, uint32_t draw) {
  struct team *t = j.team;
  long ticket;
  switch (alone ? 2 + draw % 5 : draw % 7) {
  case 0:
#pragma omp critical(blend) hint(omp_sync_hint_contended)
    check_count_alone(&t->alone[0], draw);
    break;
  case 1:
#pragma omp critical(blend) hint(omp_sync_hint_contended)
    t->alone[0]++;
    break;
  case 2:
    omp_set_lock(&t->lock);
    check_count_alone(&t->alone[1], draw);
    omp_unset_lock(&t->lock);
    break;
  case 3: count_by_trying(t, draw, false); break;
  case 4: count_nested(t, draw); break;
  case 5:
#pragma omp atomic capture
    ticket = t->tickets++;
#pragma omp atomic
    t->ticket_sum += ticket;
    add(t, 1);
    break;
  default:
    if (j.flags & NO_HOLD)
      add(t, 1);
    else
      count_by_trying(t, draw, true);
  }
}

static void counters(struct job j, uint32_t many, uint32_t draw) {
  add(j.team, -2 * (long)many);
  for (uint32_t k = 0; k < many; k++) {
#pragma omp task firstprivate(j, k, draw) untied
    {
      count(j, draw >> k);
      body(child(j, k));
      count(j, draw >> k >> 3);
    }
  }
}

static void hold(struct job j, uint32_t many, uint32_t draw) {
  j.flags |= NO_HOLD;
  omp_set_lock(&j.team->held);
  if (draw % 2) {
#pragma omp taskgroup
    loosely(j, many, draw);
  } else {
    loosely(j, many, draw);
#pragma omp taskwait
  }
  check_count_alone(&j.team->alone[2], draw);
  omp_unset_lock(&j.team->held);
}

/* A lock is held while children run, who do not take it. It is a task that holds it, without other
   children: the encountering task may have some that take it. */
static void holding(struct job j, uint32_t many, uint32_t draw) {
  if (j.flags & NO_HOLD) {
    serially(j, many, draw);
    return;
  }
  add(j.team, -1);
  if (draw / 2 % 2) {
#pragma omp task firstprivate(j, many, draw) untied
    hold(j, many, draw);
  } else {
#pragma omp task firstprivate(j, many, draw)
    hold(j, many, draw);
  }
}

/* --- cancelled taskgroups --- */

static void begin_in(struct group *g) {
#pragma omp atomic
  g->begun++;
}

static void end_in(struct group *g) {
#pragma omp atomic
  g->ended++;
}

/* Tasks of a group, each with others, one of which cancels. */
static void tree_in(struct group *g, struct job j, uint32_t draw) {
  begin_in(g);
  for (uint32_t k = 0; k < children(j); k++) {
    struct job c = child(j, k);
    switch (draw / 4 % 4) {
    case 0:
#pragma omp task firstprivate(c, draw, g) untied
      tree_in(g, c, draw * 5 + k);
      break;
    case 1:
#pragma omp taskgroup
#pragma omp task firstprivate(c, draw, g)
      tree_in(g, c, draw * 5 + k);
      break;
    case 2:
#pragma omp task firstprivate(c, draw, g) priority(urgent(1))
    {
#pragma omp cancellation point taskgroup
      tree_in(g, c, draw * 5 + k);
    } break;
    default:
#pragma omp taskloop firstprivate(c, draw, g) nogroup num_tasks(2)
      for (int i = 0; i < 2; i++) {
        if (i)
          tree_in(g, c, draw * 5 + k);
      }
    }
  }
  if (draw / 16 % 3 == 0) {
#pragma omp taskwait
  }
  end_in(g);
}

static void cancelling_task(struct group *g, uint32_t draw) {
#pragma omp task firstprivate(draw, g) untied
  {
    begin_in(g);
    for (uint32_t n = draw / 2 % 20; n > 0; n--) {
#pragma omp taskyield
    }
    end_in(g);
    if (draw % 4) {
#pragma omp cancel taskgroup
    }
  }
}

static void cancelled_group(struct job j, uint32_t many, uint32_t draw) {
  struct group *g = calloc(1, sizeof *g);
  __attribute__((unused)) int x = 0;
#pragma omp taskgroup
  {
    for (uint32_t k = 0; k < many; k++) {
#pragma omp task firstprivate(j, k, draw, g)
      tree_in(g, child(j, k), draw >> k);
#pragma omp task firstprivate(g) depend(inout : x)
      {
        begin_in(g);
        end_in(g);
      }
      if (draw >> 8 & 1 << k)
        cancelling_task(g, draw >> k);
    }
  }
  g->final = g->begun;
  CHECK_SUM(g->ended, g->begun);
  CHECK_THAT(g->begun <= share(j) - 1 + 2 * many);
  if (!omp_get_cancellation())
    CHECK_THAT(g->begun >= share(j) - 1 + many);
  struct team *t = j.team;
  struct group *first = __atomic_load_n(&t->groups, __ATOMIC_SEQ_CST);
  do
    g->next = first;
  while (!__atomic_compare_exchange_n(&t->groups, &first, g, false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST));
  serially(j, many, draw);
}

#endif
