/* first_tasks.c - a library with a region whose members sleep while tasks run */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <unistd.h>

long first_tasks(void) {
  long done = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 20; i++) {
#pragma omp task shared(done)
    {
      usleep(5000);
#pragma omp atomic
      done++;
    }
    if (i % 2 == 0) {
#pragma omp taskwait
    }
  }
  return done;
}
