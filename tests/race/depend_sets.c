/* mutexinoutset: one after the other; inoutset: side by side. */
#include "race.h"

int main(void) {
  int x = 0, y = 0, a[4] = {0};
  struct point p = {0, 0};
#pragma omp parallel num_threads(3)
#pragma omp single
  {
    for (int k = 0; k < 4; k++)
#pragma omp task shared(x) depend(mutexinoutset : x)
      x++;
    for (int k = 0; k < 4; k++)
#if __GNUC__ >= 13
#pragma omp task shared(a, x, y, p) depend(inoutset : y) depend(in : x)
#else
#pragma omp task shared(a, x, y, p) depend(in : y) depend(in : x)
#endif
    {
      a[k] = x;
      if (RACY_IF(k < 2, 0))
        RACE(&p, 2, y++);
    }
#pragma omp task shared(a, y) depend(out : y)
    y = a[0] + a[1] + a[2] + a[3];
  }
  return check(y == 16);
}
