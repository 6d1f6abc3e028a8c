/* Arguments of tasks, copied by the library and by the program's code; their memory is used
 * again. */
#include "race.h"

struct big {
  int n[40];
};

static int sum_of(struct big b, int k, const int *more) {
  int s = more[0] + more[k % 3];
  b.n[k % 40] = s;
  for (int i = 0; i < 40; i++)
    s += b.n[i];
  return s;
}

int main(int argc, char **argv) {
  struct big b;
  int sum = 0, shared = 0;
  struct point p = {0, 0};
  (void)argv;
  for (int i = 0; i < 40; i++)
    b.n[i] = i;
#pragma omp parallel num_threads(4)
#pragma omp for
  for (int k = 0; k < 400; k++) {
    int mine[3] = {k, k, k}, vla[argc + 2];
    for (int i = 0; i < argc + 2; i++)
      vla[i] = 1;
#pragma omp task firstprivate(b, mine, vla) shared(sum, shared, p)
    {
      int s = sum_of(b, k, vla) + sum_of(b, k, mine);
      if (RACY_IF(k % 100 == 1, 0))
        RACE(&p, 2, shared += s);
#pragma omp atomic
      sum += s;
    }
  }
  return check(sum > 0);
}
