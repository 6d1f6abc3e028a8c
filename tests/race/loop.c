/* Two loops: the second reads what others wrote in the first, so it must not follow nowait. */
#include "race.h"

int main(void) {
  enum { N = 1000 };
  static int a[N], b[N];
#pragma omp parallel
  {
#ifdef RACY
#pragma omp for schedule(static) nowait
#else
#pragma omp for schedule(static)
#endif
    for (int i = 0; i < N; i++)
      a[i] = i;
#pragma omp for schedule(static)
    for (int i = 0; i < N; i++)
      b[i] = a[N - 1 - i];
  }
  return check(b[0] == N - 1);
}
