/* spin_sweeps.c - sweeps over a grid in which members follow each other by flags and flush */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks a solver's lower and upper sweeps, as NAS LU does them: each member has a strip of the
// grid, takes a plane when the neighbour's flag says so, spinning with flush only, and hands it
// on; barriers between the sweeps. The grid must be the sequential one. Members that spin may end
// up on OS threads of their own, where nobody moves them: they move in a region before.
// UNSUPPORTED: tsan
// (ThreadSanitizer does not follow what flush orders.)
// RUN: %members_test
// RUN: env NTH_MEMBERS=nano %omp_run %t
#include "members.h"

enum { PLANES = 6, STRIP = 4, WIDTH = MEMBERS * STRIP };

static unsigned grid[PLANES][WIDTH + 2], wanted[PLANES][WIDTH + 2];
static int ready[MEMBERS];

static unsigned mix(unsigned old, unsigned plane, unsigned neighbour) {
  return old * 5 + plane * 3 + neighbour * 7 + 1;
}

static void lower(unsigned g[PLANES][WIDTH + 2], int k, int from, int to) {
  for (int i = from; i < to; i++)
    g[k][i] = mix(g[k][i], k > 0 ? g[k - 1][i] : 0, g[k][i - 1]);
}

static void upper(unsigned g[PLANES][WIDTH + 2], int k, int from, int to) {
  for (int i = to - 1; i >= from; i--)
    g[k][i] = mix(g[k][i], k < PLANES - 1 ? g[k + 1][i] : 0, g[k][i + 1]);
}

/* Takes the word that the neighbour has set. */
static void take(int *word) {
  int set;
  do {
#pragma omp flush
#pragma omp atomic read
    set = *word;
  } while (!set);
#pragma omp atomic write
  *word = 0;
#pragma omp flush
}

/* Sets it as soon as the one before has been taken. */
static void give(int *word) {
  int set;
#pragma omp flush
  do {
#pragma omp flush
#pragma omp atomic read
    set = *word;
  } while (set);
#pragma omp atomic write
  *word = 1;
#pragma omp flush
}

static void sweep_lower(int me) {
  for (int k = 0; k < PLANES; k++) {
    if (me > 0)
      take(&ready[me - 1]);
    lower(grid, k, 1 + me * STRIP, 1 + (me + 1) * STRIP);
    if (me < MEMBERS - 1)
      give(&ready[me]);
  }
}

static void sweep_upper(int me) {
  for (int k = PLANES - 1; k >= 0; k--) {
    if (me < MEMBERS - 1)
      take(&ready[me + 1]);
    upper(grid, k, 1 + me * STRIP, 1 + (me + 1) * STRIP);
    if (me > 0)
      give(&ready[me]);
  }
}

int main(void) {
  pass_everywhere();
  double end = check_seconds() + 0.6;
  for (int step = 0; step < 4 && (step == 0 || check_seconds() < end); step++) {
#pragma omp parallel num_threads(MEMBERS)
    {
      sweep_lower(omp_get_thread_num());
#pragma omp barrier
      sweep_upper(omp_get_thread_num());
      for (unsigned way = 0; way < WAYS_ALONE; way++)
        pass_alone(way);
      pass_together((unsigned)step);
    }
    for (int k = 0; k < PLANES; k++)
      lower(wanted, k, 1, WIDTH + 1);
    for (int k = PLANES - 1; k >= 0; k--)
      upper(wanted, k, 1, WIDTH + 1);
    for (int k = 0; k < PLANES; k++)
      for (int i = 0; i < WIDTH + 2; i++)
        CHECK_EQ(grid[k][i], wanted[k][i]);
  }
  members_end();
  return 0;
}
