/* sections.c - sections: each once, whatever the team's size */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks fewer and more sections than members, nowait, lastprivate, reduction, orphaned sections
// and parallel sections; each section runs exactly once.
// RUN: %omp_test
#include "check.h"

static int ran[10];

static void mark(int s) {
#pragma omp atomic
  ran[s]++;
}

static void orphaned(void) {
#pragma omp sections
  {
#pragma omp section
    mark(8);
#pragma omp section
    mark(9);
  }
}

int main(void) {
  int last = 0, sum = 0, rounds = CHECK_TIMES(500);
  double end = check_seconds() + 2;
  int done = 0;
  for (; done < rounds && check_seconds() < end; done++) {
#pragma omp parallel
    {
#pragma omp sections nowait
      { mark(0); }
#pragma omp sections lastprivate(last) reduction(+ : sum)
      {
#pragma omp section
        {
          mark(1);
          sum += last = 1;
        }
#pragma omp section
        {
          mark(2);
          sum += last = 2;
        }
#pragma omp section
        {
          mark(3);
          sum += last = 3;
        }
      }
      CHECK_EQ(last, 3);
      orphaned();
    }
#pragma omp parallel sections num_threads(2)
    {
      mark(4);
#pragma omp section
      mark(5);
#pragma omp section
      mark(6);
#pragma omp section
      mark(7);
    }
  }
  CHECK_EQ(sum, 6 * done);
  for (int s = 0; s < 10; s++)
    CHECK_EQ(ran[s], done);
  orphaned(); /* outside any region: run by the one thread */
  CHECK_EQ(ran[8], done + 1);
  CHECK_EQ(ran[9], done + 1);
  return 0;
}
