/* constructs.h - the constructs that stress.c draws; each verifies its own result */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every member of a team calls the same functions with the same draws, in the same order.
#ifndef CONSTRUCTS_H
#define CONSTRUCTS_H

#include "check.h"

struct team {
  long sum, cells[64], visits;
  int size, turn;
  omp_lock_t lock;
};

static inline void loop(struct team *t, uint32_t draw) {
  int trips = (int)(draw % 64), chunk = 1 + (int)(draw / 64 % 9);
  switch (draw / 1024 % 5) {
  case 0:
#pragma omp for schedule(dynamic, chunk)
    for (int i = 0; i < trips; i++)
      t->cells[i]++;
    break;
  case 1:
#pragma omp for schedule(guided, chunk)
    for (long i = trips - 1; i >= 0; i--)
      t->cells[i]++;
    break;
  case 2:
#pragma omp for schedule(monotonic : dynamic, chunk)
    for (unsigned long long i = 0; i < (unsigned)trips; i++)
      t->cells[i]++;
    break;
  case 3:
#pragma omp for schedule(dynamic, chunk) ordered
    for (int i = 0; i < trips; i++) {
      t->cells[i]++;
#pragma omp ordered
      CHECK_EQ(t->turn++, i);
    }
    break;
  default:
#pragma omp for schedule(static, chunk)
    for (int i = 0; i < trips; i++)
      t->cells[i]++;
  }
#pragma omp single
  {
    for (int i = 0; i < 64; i++)
      CHECK_EQ(t->cells[i], i < trips);
    memset(t->cells, 0, sizeof t->cells);
    t->turn = 0;
  }
}

static inline void task_tree(struct team *t, int depth) {
#pragma omp atomic
  t->visits++;
  for (int k = 0; k < depth; k++) {
#pragma omp task firstprivate(depth) if (depth != 2)
    task_tree(t, depth - 1);
  }
  if (depth % 2) {
#pragma omp taskwait
  }
}

static inline void tasks(struct team *t, uint32_t draw) {
  long trees = draw % 2 ? 1 : t->size;
#pragma omp barrier
  if (draw % 2) {
#pragma omp single nowait
    task_tree(t, 4);
  } else if (draw % 4) {
#pragma omp taskgroup
    task_tree(t, 4);
  } else {
    task_tree(t, 4);
  }
#pragma omp barrier
  CHECK_EQ(t->visits, 65 * trees); /* 1 + 4 + 12 + 24 + 24 */
#pragma omp barrier
#pragma omp single
  t->visits = 0;
}

static inline void small_constructs(struct team *t, uint32_t draw) {
  for (uint32_t k = 0; k < 1 + draw % 20; k++) {
#pragma omp single nowait
#pragma omp atomic
    t->sum += 100;
#pragma omp sections nowait
    {
#pragma omp section
#pragma omp atomic
      t->sum += 10;
#pragma omp section
#pragma omp atomic
      t->sum += 1;
    }
  }
  if (draw % 3 == 0) {
    omp_set_lock(&t->lock);
    t->visits++;
    omp_unset_lock(&t->lock);
  }
#pragma omp barrier
  CHECK_EQ(t->sum, 111 * (1 + draw % 20));
  CHECK_EQ(t->visits, draw % 3 == 0 ? t->size : 0);
#pragma omp barrier
#pragma omp single
  t->sum = t->visits = 0;
}

#endif
