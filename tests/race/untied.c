/* Untied tasks that wait: they are left and taken up again. */
#include "race.h"

static int twice, leaves;
static struct point p;

static long walk(int n) {
  long left = 0, right = 0;
  if (n == 0) {
    if (RACY_IF(1, 0) && is_early(&leaves, 2))
      RACE(&p, 2, twice++);
    return 1;
  }
#pragma omp task untied shared(left)
  left = walk(n - 1);
#pragma omp task untied shared(right)
  {
    right = walk(n - 1);
#pragma omp taskyield
  }
#pragma omp taskwait
  return left + right;
}

int main(void) {
  long x = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp task untied shared(x)
  x = walk(9);
  return check(x == 512);
}
