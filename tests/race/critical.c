/* critical: regions of one name exclude each other, regions of two names do not. */
#include "race.h"

int main(void) {
  int x = 0;
  struct point p = {0, 0};
#pragma omp parallel num_threads(2)
  for (int r = 0; r < 100; r++)
    if (RACY_IF(omp_get_thread_num() & 1, 0)) {
#pragma omp critical(one)
      RACE(&p, 2, x++);
    } else {
#pragma omp critical(two)
      RACE(&p, 2, x++);
    }
  return check(x == 200);
}
