/* A dependence kept in an object, and one through an if(0) task. */
#include "race.h"

int main(void) {
  int x = 0, y = 0;
  struct point p = {0, 0};
  omp_depend_t d;
#pragma omp depobj(d) depend(inout : x)
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task shared(x, p) depend(depobj : d)
    RACE(&p, 2, x = 1);
#ifdef RACY
#pragma omp task shared(x, y, p) if (0)
#else
#pragma omp task shared(x, y, p) if (0) depend(in : x)
#endif
    RACE(&p, 2, y = x);
#pragma omp task shared(x) depend(depobj : d)
    x++;
  }
#pragma omp depobj(d) destroy
  return check(x == 2 && y == 1);
}
