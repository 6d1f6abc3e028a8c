/* omp_alloc: memory that a thread frees, and another one gets again. */
#include "race.h"

int main(void) {
  int *kept = 0;
  struct point p = {0, 0};
#pragma omp parallel num_threads(4)
  {
    for (int r = 0; r < 200; r++) {
      int *p = omp_alloc(64, r & 1 ? omp_default_mem_alloc : omp_thread_mem_alloc);
      for (int i = 0; i < 16; i++)
        p[i] = r;
      omp_free(p, omp_null_allocator);
    }
#pragma omp single
    kept = omp_alloc(64, omp_default_mem_alloc);
    if (RACY_IF(1, omp_get_thread_num() == 0))
      RACE(&p, omp_get_num_threads(), kept[0] = 1);
  }
  omp_free(kept, omp_null_allocator);
  return 0;
}
