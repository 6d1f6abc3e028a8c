/* target regions on the host; nowait ones are tasks. */
#include "race.h"

int main(void) {
  int x = 0, y = 0, sum = 0;
  struct point p = {0, 0};
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int r = 0; r < 5; r++) {
#pragma omp target map(tofrom : x) nowait depend(out : x)
    x = r;
#pragma omp target map(to : x) map(tofrom : y) nowait depend(in : x) depend(out : y)
    y = x;
#pragma omp taskwait
    sum += y;
#pragma omp target map(tofrom : x) nowait depend(out : x)
    x = r;
#pragma omp target map(to : x) map(tofrom : y) depend(in : x)
    y = x;
#pragma omp target map(tofrom : y) nowait depend(out : y)
    y = r;
#pragma omp target update to(y) depend(in : y)
    sum += y - r;
  }
#pragma omp target map(tofrom : x, sum)
#pragma omp parallel num_threads(3)
  {
    if (RACY_IF(1, 0))
      RACE(&p, omp_get_num_threads(), x++);
#pragma omp critical
    sum += 0;
  }
  return check(sum == 10);
}
