/* taskgroup waits for grandchildren, taskwait does not. */
#include "race.h"

int main(void) {
  int x = 0, y = 0;
  struct point p = {0, 0};
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int r = 0; r < 10; r++) {
#ifndef RACY
#pragma omp taskgroup
#endif
    {
#pragma omp task shared(x, p)
#pragma omp task shared(x, p)
      RACE(&p, 2, x = r);
#pragma omp taskwait
    }
    RACE(&p, 2, y += x);
    if (RACY_IF(1, 0))
      break;
  }
  return check(y == 45);
}
