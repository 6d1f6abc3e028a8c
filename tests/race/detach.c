/* detach: a task is over when its event is fulfilled, by whatever thread. */
#include "race.h"

int main(void) {
  int x = 0, y = 0;
  struct point p = {0, 0};
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int r = 1; r <= 10; r++) {
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : x)
    (void)r;
#pragma omp task shared(x) firstprivate(event) shared(p)
    {
      if (RACY_IF(1, 0))
        omp_fulfill_event(event);
      RACE(&p, 2, x = r);
      if (RACY_IF(0, 1))
        omp_fulfill_event(event);
    }
#pragma omp task shared(x, y) depend(in : x) shared(p)
    RACE(&p, 2, y += x);
#pragma omp taskwait
  }
  return check(y == 55);
}
