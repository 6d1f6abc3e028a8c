/* depend_null.c - depend clauses other than out that name an object by a null pointer */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that NULL is one more object there, not all memory: a wavefront may name the neighbour
// beyond its border so. Tasks that read it wait for no others, nor do taskwaits; mutexinoutset
// tasks that name it exclude each other. The first task of each check is not finished until the
// others have been.
// RUN: %omp_test
#include "check.h"

#pragma GCC diagnostic ignored "-Wunused-variable" /* gcc overlooks uses in depend clauses */

static char *volatile none;

static void readers(void) {
  char *p = none;
  int x = 0, y = 0;
  omp_event_handle_t event;
#pragma omp task detach(event) depend(in : p[0]) depend(out : x) shared(x)
  x = 1;
#pragma omp task depend(in : p[0]) depend(out : y) shared(y)
  y = 1;
#pragma omp taskwait depend(in : y)
  CHECK_EQ(y, 1);
#pragma omp taskwait depend(in : p[0])
#pragma omp task if (0) depend(in : p[0]) shared(y)
  y++;
  CHECK_EQ(y, 2);
  omp_fulfill_event(event);
#pragma omp taskwait
  CHECK_EQ(x, 1);
}

static void exclusive(void) {
  char *p = none;
  int y = 0, inside = 0, ran = 0;
  omp_event_handle_t event;
#pragma omp task detach(event) depend(mutexinoutset : p[0])
  {}
#pragma omp task depend(out : y) shared(y)
  y = 1;
#pragma omp taskwait depend(in : y)
  CHECK_EQ(y, 1);
  omp_fulfill_event(event);
  for (int i = 0; i < 100; i++) {
#pragma omp task depend(mutexinoutset : p[0]) shared(inside, ran)
    {
      CHECK_EQ(__atomic_fetch_add(&inside, 1, __ATOMIC_RELAXED), 0);
      ran++;
      __atomic_fetch_sub(&inside, 1, __ATOMIC_RELAXED);
    }
  }
#pragma omp taskwait
  CHECK_EQ(ran, 100);
}

/* The last task of each row waits for the one above it, and no other. */
static void border(void) {
  enum { ROWS = 8, COLUMNS = 5 };
  static char grid[ROWS][COLUMNS];
  static int done[ROWS][COLUMNS];
  memset(done, 0, sizeof done);
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      char *up = i > 0 ? &grid[i - 1][j] : none, *left = j > 0 ? &grid[i][j - 1] : none;
#pragma omp task depend(in : up[0], left[0]) depend(inout : grid[i][j]) firstprivate(i, j)
      {
        CHECK((i == 0 || done[i - 1][j]) && (j == 0 || done[i][j - 1]));
        done[i][j] = 1;
      }
    }
#pragma omp taskwait
  CHECK_EQ(done[ROWS - 1][COLUMNS - 1], 1);
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int turn = 0; turn < CHECK_TIMES(20); turn++) {
    readers();
    exclusive();
    border();
  }
  return 0;
}
