/* Many regions of changing sizes: each one sees what the last one wrote. */
#include "race.h"

int main(void) {
  long sum = 0, a[16] = {0}, again = 0;
  struct point p = {0, 0};
  for (int r = 0; r < 200; r++) {
#pragma omp parallel num_threads(1 + r % 6)
    {
      a[(omp_get_thread_num() + r) % 16]++;
      if (RACY_IF(r == 155, 0))
        RACE(&p, omp_get_num_threads(), again++);
    }
  }
  for (int i = 0; i < 16; i++)
    sum += a[i];
  return check(sum > 0);
}
