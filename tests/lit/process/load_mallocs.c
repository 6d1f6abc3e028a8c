/* load_mallocs.c - loading the library allocates nothing from the program's malloc */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that malloc has no memory yet when main begins: neither the environment nor the searches
// for a tool and for PAPI's events allocate, a failing dlsym() included.
// nanogomp-only: libgomp allocates.
// REQUIRES: nanogomp
// A tool allocates. The sanitizers' allocators have no mallinfo().
// UNSUPPORTED: tool, sanitizer, emulated
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: env OMP_NUM_THREADS=2,3 OMP_SCHEDULE=dynamic,4 %omp_run %t
#include <malloc.h>
#include <omp.h>
#include <stdio.h>

int main(void) {
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" // mallinfo2() needs glibc 2.33
  int arena = mallinfo().arena;
  if (arena != 0) {
    printf("malloc has %d bytes before main\n", arena);
    return 1;
  }
  return omp_get_max_threads() < 1;
}
