/* copyprivate: the block's result goes to all members. */
#include "race.h"

int main(void) {
  int wrong = 0;
#pragma omp parallel num_threads(3)
  for (int r = 0; r < 10; r++) {
    int *p, mine = 0;
#pragma omp single copyprivate(p)
    {
      p = malloc(sizeof *p);
      *p = r;
      mine = 1;
    }
    if (RACY_IF(mine, 0))
      *p = r + 1;
    if (*p != r)
#pragma omp atomic
      wrong++;
#pragma omp barrier
    if (mine)
      free(p);
  }
  return check(!wrong);
}
