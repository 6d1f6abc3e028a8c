/* Two threads of the program's own, each with its regions. */
#include <pthread.h>

#include "race.h"

static int sums[2], both;
static struct point p;
static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *root(void *arg) {
  int *sum = arg;
  meet(&p, 2);
  for (int r = 0; r < 20; r++) {
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
      ++*sum;
#pragma omp master
      {
        pthread_mutex_t *m = &mutex[RACY_IF(sum == sums, 0)];
        pthread_mutex_lock(m);
        both++;
        pthread_mutex_unlock(m);
      }
    }
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, root, &sums[0]);
  root(&sums[1]);
  pthread_join(t, 0);
  return check(sums[0] >= 20 && sums[1] >= 20 && both == 40);
}
