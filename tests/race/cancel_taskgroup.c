/* A cancelled taskgroup: some tasks are discarded, its end orders the rest. */
#include "race.h"

int main(void) {
  int a[64] = {0}, sum = 0, x = 0;
  struct point p = {0, 0};
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int r = 0; r < 5; r++) {
#pragma omp taskgroup
    for (int i = 0; i < 64; i++)
#pragma omp task shared(a, x, p)
    {
      a[i]++;
      if (RACY_IF(i < 2, 0))
        RACE(&p, 2, x++);
      if (i == 40) {
        ONLY_RACY(await(&p.here, 2 * r + 2)); /* it discards what has not begun */
#pragma omp cancel taskgroup
      }
    }
    for (int i = 0; i < 64; i++)
      sum += a[i];
  }
  return check(sum > 0 || !omp_get_cancellation());
}
