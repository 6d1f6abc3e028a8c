/* doacross: an iteration sees what the one wrote that it waits for. */
#include "race.h"

int main(void) {
  enum { N = 100 };
  static int a[N];
#pragma omp parallel for ordered(1) schedule(static, 1)
  for (int i = 0; i < N; i++) {
#ifdef RACY
#pragma omp ordered depend(sink : i - 2)
#else
#pragma omp ordered depend(sink : i - 1)
#endif
    a[i] = i ? a[i - 1] + 1 : 0;
#pragma omp ordered depend(source)
  }
  return check(a[N - 1] == N - 1);
}
