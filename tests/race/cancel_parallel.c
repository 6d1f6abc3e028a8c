/* A cancelled region: its end still orders; what a member wrote before it cancelled is seen. */
#include "race.h"

int main(void) {
  int cause = 0, seen = 0, x = 0;
  for (int r = 0; r < 10; r++) {
#pragma omp parallel num_threads(4)
    {
      int me = omp_get_thread_num();
      if (me == omp_get_num_threads() - 1) {
        cause = r;
#pragma omp cancel parallel
      }
      if (RACY_IF(1, 0))
        x++;
#pragma omp barrier
#pragma omp cancellation point parallel
    }
    seen += cause;
  }
  return check(seen == 45);
}
