/* taskwait: the task sees what its children wrote. */
#include "race.h"

int main(void) {
  int x = 0, y = 0;
  struct point p = {0, 0};
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int r = 0; r < 20; r++) {
#pragma omp task shared(x, p)
    RACE(&p, 2, x = r);
    if (RACY_IF(1, 0))
      RACE(&p, 2, y += x);
#pragma omp taskwait
    y += x;
  }
  return check(y == 190);
}
