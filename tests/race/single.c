/* single: its barrier publishes what the block wrote. */
#include "race.h"

int main(void) {
  int x = 0, sum = 0;
#pragma omp parallel reduction(+ : sum)
  for (int r = 1; r <= 10; r++) {
#ifdef RACY
#pragma omp single nowait
#else
#pragma omp single
#endif
    x += r;
    sum += x;
#pragma omp barrier
  }
  return check(sum > 0);
}
