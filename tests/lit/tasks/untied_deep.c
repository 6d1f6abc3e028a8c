/* untied_deep.c - untied tasks one within the other, each in a wait */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that thousands of untied tasks of which each waits for the next one do not lie on each
// other's stacks, in taskwait, at the end of a taskgroup, in taskwait with dependences and in a
// mixture of all.
// RUN: %omp_test
// REQUIRES: nanogomp
// nanogomp-only: libgomp puts each task on the stack of the one that waits for it, and overflows.
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>

enum { DEPTH = CHECK_TIMES(10000), FRAME = 2048 };

enum how { WAIT, GROUP, DEPEND, ALL };

static _Atomic(int) ended;

/* The member's own stack, and where its implicit task is on it. */
static char *low, *base;
#pragma omp threadprivate(low, base)

/* No task lies further below that one on the same stack: room for those that a member runs at
 * once. */
enum { NEAR = 1024 * 1024 };

static void begin(char *here) {
  if (!low) {
    pthread_attr_t attr;
    void *lowest;
    size_t size;
    CHECK_EQ(pthread_getattr_np(pthread_self(), &attr), 0);
    CHECK_EQ(pthread_attr_getstack(&attr, &lowest, &size), 0);
    pthread_attr_destroy(&attr);
    low = lowest;
  }
  base = here;
}

static void look(const char *here) { CHECK(!(low <= here && here < base - NEAR)); }

static int down(int left, enum how how) {
  char frame[FRAME];
  char *p = frame;
  int below = 0, x = 0;
  CHECK_OPAQUE(p);
  p[0] = p[FRAME - 1] = (char)left;
  look(p);
  if (left > 0) {
    enum how mine = how == ALL ? (enum how)(left % 3) : how;
    if (mine == WAIT) {
#pragma omp task untied shared(below)
      below = down(left - 1, how);
#pragma omp taskwait
    } else if (mine == GROUP) {
#pragma omp taskgroup
      {
#pragma omp task untied shared(below)
        below = down(left - 1, how);
      }
    } else {
#pragma omp task untied shared(below) depend(out : x)
      below = down(left - 1, how);
#pragma omp taskwait depend(in : x)
    }
    CHECK_EQ(below, left - 1);
  }
  CHECK_EQ(p[0], (char)left);
  CHECK_EQ(p[FRAME - 1], (char)left);
  ended++;
  (void)x;
  return left;
}

static void descend(int depth, enum how how) {
  ended = 0;
#pragma omp parallel
  {
    char here;
    begin(&here);
#pragma omp barrier
#pragma omp single
#pragma omp task untied
    down(depth, how);
  }
  CHECK_EQ(ended, depth + 1);
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    descend(DEPTH, WAIT);
    descend(DEPTH, GROUP);
    descend(DEPTH / 10, DEPEND);
    descend(DEPTH / 10, ALL);
  }
  return 0;
}
