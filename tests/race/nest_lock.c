/* A nestable lock: left at the last unset only. */
#include "race.h"

int main(void) {
  int x = 0, n = 0;
  omp_nest_lock_t l;
  omp_init_nest_lock(&l);
#pragma omp parallel
  {
#pragma omp atomic
    n++;
    for (int r = 0; r < 50; r++) {
      omp_set_nest_lock(&l);
      omp_set_nest_lock(&l);
      x++;
      omp_unset_nest_lock(&l);
      if (RACY_IF(1, 0))
        omp_unset_nest_lock(&l);
      x++;
      if (RACY_IF(0, 1))
        omp_unset_nest_lock(&l);
    }
  }
  omp_destroy_nest_lock(&l);
  return check(x == 100 * n);
}
