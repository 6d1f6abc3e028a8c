/* doacross over two loops: each point needs its upper and its left neighbour. */
#include "race.h"

int main(void) {
  enum { N = 12, M = 9 };
  static int a[N][M];
  struct point p = {0, 0};
#pragma omp parallel for ordered(2) schedule(dynamic, 1)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
#ifdef RACY
#pragma omp ordered depend(sink : i, j - 1)
#else
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
#endif
      if (i < 2 && j == 0)
        ONLY_RACY(meet(&p, 2)); /* two threads have rows */
      a[i][j] = (i ? a[i - 1][j] : 1) + (j ? a[i][j - 1] : 1);
#pragma omp ordered depend(source)
    }
  return check(a[1][1] == 6);
}
