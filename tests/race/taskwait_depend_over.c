/* taskwait depend: orders nothing with a child that it does not name, even one that is over. */
#include "race.h"

int main(void) {
  int x = 0, y = 0, z = 0, over = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task shared(x) depend(out : x)
    x = 1;
#pragma omp task shared(y, over)
    {
      y = 1;
      __atomic_fetch_add(&over, 1, __ATOMIC_RELAXED);
    }
    await(&over, 1);
#pragma omp taskwait depend(in : x)
    z = x + RACY_IF(y, 0);
#pragma omp taskwait
    z += RACY_IF(0, y);
  }
  return check(z == 2);
}
