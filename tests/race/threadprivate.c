/* threadprivate: each thread has its own, unless it gives the address away. */
#include "race.h"

static int mine;
#pragma omp threadprivate(mine)

int main(void) {
  int *of[64] = {0}, sum = 0;
#pragma omp parallel copyin(mine)
  {
    int me = omp_get_thread_num(), n = omp_get_num_threads();
    of[me] = &mine;
    for (int r = 0; r < 20; r++) {
      mine++;
#pragma omp barrier
      ++*of[(me + 1) % n];
      if (RACY_IF(1, 0))
        ++*of[0];
#pragma omp barrier
    }
#pragma omp atomic
    sum += mine;
  }
  return check(sum > 0);
}
