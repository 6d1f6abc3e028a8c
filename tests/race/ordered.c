/* ordered: the regions of a loop come one after the other. */
#include "race.h"

int main(void) {
  int x = 0, wrong = 0;
  struct point p = {0, 0};
#pragma omp parallel for ordered schedule(dynamic)
  for (int i = 0; i < 60; i++) {
    if (RACY_IF(i < 2, 0))
      RACE(&p, 2, x = i);
#pragma omp ordered
    {
      if (x != i)
        wrong++;
      x = i + 1;
    }
  }
  return check(!wrong);
}
