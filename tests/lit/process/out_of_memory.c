/* out_of_memory.c - tasks whose copies of arguments take all the memory that RLIMIT_AS leaves */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the library says once a second at most that it waits for memory, however many tasks
// are made in a second without any, and that the tasks then run, or the program ends with status 1.
// nanogomp-only: libgomp ends the program.
// REQUIRES: base, nanogomp
// UNSUPPORTED: sanitizer
// UNSUPPORTED: emulated
// RUN: %omp_test
#include "memory.h"
#include "outcome.h"

#include <sys/resource.h>

struct large {
  char bytes[20000];
};

static int chain[100]; /* what the tasks depend on */

static void storm(void) {
  struct large l = {{0}};
  int done = 0;
  struct rlimit limit = {0, 0};
#pragma omp parallel
  ;
  limit.rlim_cur = limit.rlim_max = memory_mapped() + 20000000;
  CHECK_EQ(setrlimit(RLIMIT_AS, &limit), 0);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20000; i++) {
#pragma omp task firstprivate(l) shared(done) depend(inout : chain[i % 100])
    {
#pragma omp atomic
      done += 1 + l.bytes[i % 100];
    }
  }
  CHECK_EQ(done, 20000);
}

static void storm_alone(void) {
  storm();
  _exit(0);
}

int main(void) {
  static struct outcome o;
  int lines = 0;
  double start = omp_get_wtime();
  outcome_of(&o, storm_alone);
  for (size_t i = 0; i < o.length; i++)
    lines += o.text[i] == '\n';
  CHECK(o.status == 0 || o.status == 1);
  CHECK(lines <= 4 + (int)(omp_get_wtime() - start));
  return 0;
}
