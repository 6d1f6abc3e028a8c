/* Dependences: readers between two writers. */
#include "race.h"

int main(void) {
  int x = 0, sum = 0;
  struct point p = {0, 0};
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int r = 0; r < 10; r++) {
#pragma omp task shared(x) depend(out : x)
    x = r;
    for (int k = 0; k < 3; k++)
#pragma omp task shared(x, sum, p) depend(in : x)
    {
      int seen = x;
#pragma omp atomic
      sum += seen;
      if (RACY_IF(k < 2, 0))
        RACE(&p, 2, x = r);
    }
  }
  return check(sum == 135);
}
