/* A tree of tasks, each with two children. */
#include "race.h"

static int twice, leaves;
static struct point p;

static int fib(int n) {
  int a, b;
  if (n < 2) {
    if (RACY_IF(1, 0) && is_early(&leaves, 2))
      RACE(&p, 2, twice++);
    return n;
  }
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(void) {
  int x = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  x = fib(14);
  return check(x == 377);
}
