/* task_reduction and in_reduction. */
#include "race.h"

int main(void) {
  long sum = 0, wide = 0;
  struct point p = {0, 0};
#pragma omp parallel num_threads(3)
  {
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : sum)
      {
        for (int i = 0; i < 40; i++)
#ifdef RACY
#pragma omp task shared(sum, p)
#else
#pragma omp task in_reduction(+ : sum)
#endif
        {
          if (i < 2)
            RACE(&p, 2, sum += i);
          else
            sum += i;
        }
      }
    }
#pragma omp for reduction(task, + : wide)
    for (int i = 0; i < 20; i++)
#pragma omp task in_reduction(+ : wide)
      wide += i;
  }
  return check(sum == 780 && wide == 190);
}
