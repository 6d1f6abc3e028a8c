/* A cancelled loop, and the code behind it. */
#include "race.h"

int main(void) {
  enum { N = 200 };
  static int a[N];
  int sum = 0;
  struct point p = {0, 0};
#pragma omp parallel num_threads(3)
  {
    for (int r = 0; r < 5; r++) {
#pragma omp for schedule(dynamic)
      for (int i = 0; i < N; i++) {
        a[i] = r;
        if (i == 50) {
#pragma omp cancel for
        }
#pragma omp cancellation point for
      }
#ifndef RACY
#pragma omp single
#endif
      RACE(&p, omp_get_num_threads(), sum += a[0]);
    }
  }
  return check(sum == 10);
}
