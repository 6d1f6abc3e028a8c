/* teams on the host, with regions in them. */
#include "race.h"

int main(void) {
  int a[64] = {0}, x = 0, sum = 0;
  struct point p = {0, 0};
#pragma omp teams num_teams(3) thread_limit(3) shared(a, x, p)
  {
    int team = omp_get_team_num();
#pragma omp parallel num_threads(3)
    {
      a[4 * team + omp_get_thread_num()] = 1;
      if (RACY_IF(1, 0))
        RACE(&p, omp_get_num_threads(), x++);
    }
  }
  for (int i = 0; i < 64; i++)
    sum += a[i];
  return check(sum > 0);
}
