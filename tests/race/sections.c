/* sections: the barrier at their end publishes what each wrote. */
#include "race.h"

int main(void) {
  int a = 0, b = 0, wrong = 0;
  struct point p = {0, 0};
#pragma omp parallel num_threads(2)
  {
#ifdef RACY
#pragma omp sections nowait
#else
#pragma omp sections
#endif
    {
#pragma omp section
      {
        ONLY_RACY(meet(&p, 2));
        a = 1;
      }
#pragma omp section
      {
        ONLY_RACY(meet(&p, 2));
        b = 1;
      }
    }
    ONLY_RACY(meet(&p, 2));
    if (a + b != 2)
#pragma omp atomic
      wrong++;
  }
  return check(!wrong);
}
