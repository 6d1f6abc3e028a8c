/* master has no barrier. */
#include "race.h"

int main(void) {
  int x = 0, wrong = 0;
#pragma omp parallel
  for (int r = 1; r <= 10; r++) {
#pragma omp master
    x = r;
#ifndef RACY
#pragma omp barrier
#endif
    if (x != r)
#pragma omp atomic
      wrong++;
#pragma omp barrier
  }
  return check(!wrong);
}
