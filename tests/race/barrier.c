/* A barrier, again and again: each member reads what its neighbour wrote before it. */
#include "race.h"

int main(void) {
  int a[64] = {0}, wrong = 0;
#pragma omp parallel
  {
    int me = omp_get_thread_num(), n = omp_get_num_threads();
    for (int r = 1; r <= 20; r++) {
      a[me] = r;
#ifndef RACY
#pragma omp barrier
#endif
      if (a[(me + 1) % n] != r)
#pragma omp atomic
        wrong++;
#pragma omp barrier
    }
  }
  return check(!wrong);
}
