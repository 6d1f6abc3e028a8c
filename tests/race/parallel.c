/* A region: the members see what the master wrote before it, the master what they wrote. */
#include "race.h"

int main(void) {
  int before = 1, n = 0, sum = 0, own[64] = {0}, all = 0;
  struct point p = {0, 0};
#pragma omp parallel num_threads(4)
  {
    own[omp_get_thread_num()] = before;
    if (RACY_IF(1, 0))
      RACE(&p, omp_get_num_threads(), all++);
#pragma omp atomic
    n++;
  }
  for (int i = 0; i < 64; i++)
    sum += own[i];
  return check(sum == n);
}
