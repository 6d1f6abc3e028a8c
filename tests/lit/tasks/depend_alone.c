/* depend_alone.c - many tasks with dependences whose member is alone in its team */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the first tasks after a wait are deferred: they may need what their maker does next.
// A maker that is far ahead runs later ones as it makes them. Checks their order, with unfinished
// siblings before them and without, for all kinds of dependences, nested, and in cancelled groups.
// RUN: %omp_test
// RUN: env OMP_CANCELLATION=true OMP_MAX_TASK_PRIORITY=3 %omp_run %t
#include "check.h"

#pragma GCC diagnostic ignored "-Wunused-variable" /* gcc overlooks uses in depend clauses */

enum { SIDE = 60, MANY = 3000, FEW = 40 };

static int cell[SIDE + 1][SIDE + 1];

/* Each cell follows its upper and left neighbours. */
static void wavefront(void) {
  memset(cell, 0, sizeof cell);
  for (int i = 1; i <= SIDE; i++)
    for (int j = 1; j <= SIDE; j++) {
#pragma omp task depend(in : cell[i - 1][j], cell[i][j - 1]) depend(out : cell[i][j])
      cell[i][j] = 1 + (cell[i - 1][j] > cell[i][j - 1] ? cell[i - 1][j] : cell[i][j - 1]);
    }
#pragma omp taskwait
  CHECK_EQ(cell[SIDE][SIDE], 2 * SIDE - 1);
}

/* A task that runs before its maker has gone on would fail. */
static void deferred(void) {
  int made = 0, ran = 0, x = 0;
  for (int i = 0; i < FEW; i++) {
#pragma omp task depend(inout : x) shared(made, ran, x)
    {
      CHECK_EQ(made, FEW);
      CHECK_EQ(x++, ran++);
    }
  }
  made = FEW;
#pragma omp taskwait
  CHECK_EQ(ran, FEW);
}

/* One task stays unfinished until the end; what follows it waits, and nothing else. */
static void behind_one(void) {
  int x = 0, y = 0, after = 0;
  omp_event_handle_t event;
  for (int i = 0; i < MANY; i++) {
#pragma omp task depend(inout : y) shared(y)
    y++;
    if (i == MANY / 2) {
#pragma omp task detach(event) depend(out : x)
      {}
    }
    if (i > MANY / 2) {
#pragma omp task depend(in : x) shared(after)
      after++;
    }
  }
  CHECK_EQ(after, 0);
  omp_fulfill_event(event);
#pragma omp taskwait
  CHECK_EQ(y, MANY);
  CHECK_EQ(after, MANY - MANY / 2 - 1);
}

static void kinds(void) {
  int x = 0, sum = 0, readers = 0;
  omp_depend_t object;
#pragma omp depobj(object) depend(inout : x)
  for (int i = 0; i < MANY; i++) {
#pragma omp task depend(mutexinoutset : sum) shared(sum)
    sum++;
#pragma omp task depend(depobj : object) shared(x)
    x++;
#pragma omp task depend(in : x) priority(i % 4) shared(readers)
    readers++;
#pragma omp task untied depend(in : x, sum) shared(readers)
    readers++;
  }
#pragma omp taskwait depend(in : sum)
  CHECK_EQ(sum, MANY);
#pragma omp taskwait
  CHECK_EQ(x, MANY);
  CHECK_EQ(readers, 2 * MANY);
#pragma omp depobj(object) destroy
}

/* The maker is itself a task that such a maker has run; its children are its own matter. */
static void nested(void) {
  int x = 0, ran = 0;
  for (int i = 0; i < MANY; i++) {
#pragma omp task depend(inout : x) shared(x, ran)
    {
      int inner = 0, made = 0;
      for (int k = 0; k < 3; k++) {
#pragma omp task depend(inout : inner) shared(inner, made)
        {
          CHECK_EQ(made, 3);
          inner++;
        }
      }
      made = 3;
#pragma omp taskwait
      x += inner;
      ran++;
    }
  }
#pragma omp taskwait
  CHECK_EQ(ran, MANY);
  CHECK_EQ(x, 3 * MANY);
}

/* Whatever is discarded, no task begins before the ones that it follows are finished. */
static void cancelled(void) {
  int x = 0, begun = 0, ended = 0;
#pragma omp taskgroup
  for (int i = 0; i < MANY; i++) {
#pragma omp task depend(inout : x) firstprivate(i) shared(begun, ended)
    {
      CHECK_EQ(begun, ended);
      begun++;
      if (i == MANY / 2) {
        ended++;
#pragma omp cancel taskgroup
        ended--;
      }
      ended++;
    }
  }
  CHECK_EQ(begun, ended);
  CHECK_EQ(begun >= MANY / 2 && (omp_get_cancellation() || begun == MANY), 1);
}

int main(void) {
#pragma omp parallel num_threads(1)
  for (int round = 0; round < 3; round++) {
    deferred();
    wavefront();
    deferred();
    behind_one();
    kinds();
    nested();
    deferred();
    cancelled();
    deferred();
    for (int i = 0, x; i < MANY; i++) {
#pragma omp task depend(inout : x) shared(x)
      x = i;
    }
#pragma omp barrier
  }
  return 0;
}
