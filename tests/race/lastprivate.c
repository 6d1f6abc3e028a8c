/* lastprivate, also with conditional, for which the library lends memory. */
#include "race.h"

int main(void) {
  int last = 0, found = 0, wrong = 0;
#pragma omp parallel num_threads(3)
  for (int r = 0; r < 10; r++) {
#pragma omp for lastprivate(last) lastprivate(conditional : found) schedule(dynamic, 3)
    for (int i = 0; i < 100; i++) {
      last = i + r;
      if (i % 7 == 0)
        found = i + r;
    }
    if (last != 99 + r)
#pragma omp atomic
      wrong++;
    if (RACY_IF(1, 0))
      last++;
#pragma omp barrier
  }
  return check(!wrong && found > 0);
}
