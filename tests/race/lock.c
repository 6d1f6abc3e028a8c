/* Locks: one lock orders, two do not. */
#include "race.h"

int main(void) {
  int x = 0;
  struct point p = {0, 0};
  omp_lock_t a, b;
  omp_init_lock(&a);
  omp_init_lock(&b);
#pragma omp parallel num_threads(2)
  {
    omp_lock_t *l = RACY_IF(omp_get_thread_num() & 1, 0) ? &b : &a;
    for (int r = 0; r < 100; r++) {
      if (r & 1)
        omp_set_lock(l);
      else
        while (!omp_test_lock(l))
          sched_yield();
      RACE(&p, 2, x++);
      omp_unset_lock(l);
    }
  }
  omp_destroy_lock(&a);
  omp_destroy_lock(&b);
  return check(x == 200);
}
