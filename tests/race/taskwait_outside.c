/* Tasks of a task that ends before them: the region's barrier waits for all. */
#include "race.h"

int main(void) {
  int a[32] = {0}, sum = 0, early = 0;
  struct point p = {0, 0};
#pragma omp parallel num_threads(3)
  {
#pragma omp master
    for (int i = 0; i < 32; i++)
#pragma omp task shared(a, p)
#pragma omp task shared(a, p)
    {
      if (i == 0)
        RACE(&p, 2, a[0] = 1);
      a[i] = 1;
    }
#ifdef RACY
#pragma omp master
    RACE(&p, 2, early = a[0]);
#endif
#pragma omp barrier
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < 32; i++)
      sum += a[i] + early;
  }
  return check(sum == 32);
}
