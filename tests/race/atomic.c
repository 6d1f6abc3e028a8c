/* atomic: also of a type that the library has to protect. */
#include "race.h"

int main(void) {
  long double wide = 0;
  int n = 0;
#pragma omp parallel
  for (int r = 0; r < 50; r++) {
#pragma omp atomic
    n++;
#ifndef RACY
#pragma omp atomic
#endif
    wide += 1;
  }
  return check(wide == n);
}
