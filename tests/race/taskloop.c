/* taskloop: its end waits for its tasks, except with nogroup. */
#include "race.h"

int main(void) {
  enum { N = 64 };
  static int a[N];
  int sum = 0;
  struct point p = {0, 0};
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int r = 0; r < 5; r++) {
    int k = r + 1;
#ifdef RACY
#pragma omp taskloop shared(p) firstprivate(k) grainsize(4) nogroup
#else
#pragma omp taskloop shared(p) firstprivate(k) grainsize(4)
#endif
    for (int i = 0; i < N; i++) {
      if (i == 0)
        RACE(&p, 2, a[i] = k);
      a[i] = k;
    }
    RACE(&p, 2, sum += a[0]);
    for (int i = 1; i < N; i++)
      sum += a[i];
  }
  return check(sum == 15 * N);
}
