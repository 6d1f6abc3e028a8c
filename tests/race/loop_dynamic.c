/* Loops that the library deals out: dynamic, guided, runtime. */
#include "race.h"

int main(void) {
  enum { N = 500 };
  static int a[N], b[N], c[N];
  struct point p = {0, 0};
#pragma omp parallel num_threads(3)
  {
#ifdef RACY
#pragma omp for schedule(dynamic, 7) nowait
#else
#pragma omp for schedule(dynamic, 7)
#endif
    for (int i = 0; i < N; i++) {
      if (i == 0 || i == 7)
        ONLY_RACY(meet(&p, 2)); /* two threads have chunks */
      a[i] = i;
    }
#pragma omp for schedule(guided)
    for (int i = 0; i < N; i++)
      b[i] = a[N - 1 - i];
#pragma omp for schedule(runtime)
    for (int i = 0; i < N; i++)
      c[i] = b[N - 1 - i];
  }
  return check(c[3] == 3);
}
