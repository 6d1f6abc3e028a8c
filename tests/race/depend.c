/* Dependences: a chain of tasks on one variable. */
#include "race.h"

int main(void) {
  int x = 0, y = 0;
  struct point p = {0, 0};
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int r = 0; r < RACY_IF(1, 20); r++) {
#pragma omp task shared(x, p) depend(inout : x)
    RACE(&p, 2, x++);
#ifdef RACY
#pragma omp task shared(x, y, p)
#else
#pragma omp task shared(x, y, p) depend(inout : x)
#endif
    RACE(&p, 2, y += x++);
  }
  return check(x == 40 && y > 0);
}
