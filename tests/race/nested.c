/* A region in a region. */
#include "race.h"

int main(void) {
  int a[4][4] = {{0}}, x = 0, sum = 0;
  omp_set_max_active_levels(2);
  for (int r = 0; r < 10; r++) {
#pragma omp parallel num_threads(3)
    {
      int me = omp_get_thread_num();
#pragma omp parallel num_threads(2)
      {
        a[me][omp_get_thread_num()]++;
        if (RACY_IF(1, 0))
          x++;
#pragma omp barrier
        a[me][omp_get_num_threads() - 1 - omp_get_thread_num()]++;
      }
      a[me][0]++;
    }
  }
  for (int i = 0; i < 16; i++)
    sum += a[i / 4][i % 4];
  return check(sum > 0);
}
