/* untied_internal.c - untied tasks may have code on their stacks, as threads' stacks may */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Untied tasks that yield run on stacks of their own. Then a library is loaded that passes an
// internal procedure of Fortran, whose trampoline lies on the stack. The C library makes threads'
// stacks executable for it (glibc 2.41 and later refuse to load it). Untied tasks call it, on new
// stacks and on those that tasks had before. Without that, they end by SIGSEGV.
// REQUIRES: fortran
// RUN: %omp_build %S/Inputs/internal.f90 -o %t.so -shared -fPIC && %omp_build %s -o %t
// RUN: env NTH_TEST_BERTHS=1 %omp_run %t %t.so
#include "check.h"

#include <dlfcn.h>

enum { TASKS = 100, MORE = 200 };

typedef int (*sum_function)(int base);

static int sum;

static void run_tasks(int tasks, sum_function sum_from) {
  for (int i = 0; i < tasks; i++) {
#pragma omp task untied
    {
#pragma omp taskyield
      int got = sum_from ? sum_from(i) : i;
#pragma omp atomic
      sum += got;
    }
  }
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
#pragma omp parallel
#pragma omp single
  run_tasks(TASKS, 0);
  CHECK_EQ(sum, TASKS * (TASKS - 1) / 2);
  void *library = dlopen(argv[1], RTLD_NOW);
  if (!library) {
    printf("not loaded: %s\n", dlerror());
    return 0;
  }
  sum_function sum_from = (sum_function)dlsym(library, "sum_from");
  CHECK(sum_from != 0);
  sum = 0;
#pragma omp parallel
#pragma omp single
  run_tasks(MORE, sum_from);
  CHECK_EQ(sum, 3 * MORE * (MORE - 1) / 2 + 6 * MORE);
  return 0;
}
