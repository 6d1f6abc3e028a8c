/* taskwait depend: waits for some children only. */
#include "race.h"

int main(void) {
  int x = 0, y = 0, z = 0;
  struct point p = {0, 0};
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp task shared(x) depend(out : x)
    x = 1;
#pragma omp task shared(y, p) depend(out : y)
    RACE(&p, 2, y = 1);
    ONLY_RACY(await(&p.here, 1)); /* so the wait cannot run it */
#pragma omp taskwait depend(in : x)
    z = x;
    if (RACY_IF(1, 0))
      RACE(&p, 2, z += y);
#pragma omp taskwait
    z += y;
  }
  return check(z == 2);
}
