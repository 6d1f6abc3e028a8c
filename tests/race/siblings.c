/* Two tasks of one parent. */
#include "race.h"

int main(void) {
  int x = 0, y = 0;
  struct point p = {0, 0};
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task shared(x, p)
    RACE(&p, 2, x++);
#pragma omp task shared(x, y, p)
    RACE(&p, 2, RACY_IF(x, y)++);
  }
  return check(x + y == 2);
}
