/* explicit_task.c - omp_in_explicit_task */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the function of OpenMP 5.2: true in tasks (also undeferred and final ones), false in
// implicit tasks, also of a region inside a task.
// nanogomp-only: libgomp has it from gcc 14 on; gcc 12's headers do not declare it.
// REQUIRES: nanogomp
// RUN: %omp_test
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>

int main(void) {
  int (*in_explicit_task)(void);
  void *address = dlvsym(RTLD_DEFAULT, "omp_in_explicit_task", "OMP_5.2");
  CHECK(address != NULL);
  memcpy(&in_explicit_task, &address, sizeof in_explicit_task);
  CHECK_EQ(in_explicit_task(), 0);
#pragma omp task if (0)
  CHECK_EQ(in_explicit_task(), 1);
#pragma omp parallel num_threads(3)
  {
    CHECK_EQ(in_explicit_task(), 0);
#pragma omp task
    {
      CHECK_EQ(in_explicit_task(), 1);
#pragma omp parallel num_threads(2)
      CHECK_EQ(in_explicit_task(), 0);
      CHECK_EQ(in_explicit_task(), 1);
    }
#pragma omp task final(1)
    {
      CHECK_EQ(in_explicit_task(), 1);
#pragma omp task
      CHECK_EQ(in_explicit_task(), 1);
      CHECK_EQ(in_explicit_task(), 1);
    }
#pragma omp taskwait
    CHECK_EQ(in_explicit_task(), 0);
  }
  return 0;
}
