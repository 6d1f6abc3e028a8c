/* noted.c - GOMP_add_alloc, GOMP_is_alloc: what gfortran -fopenmp-allocators calls */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a noted pointer is found once, others never, with many pointers and many threads.
// nanogomp-only: libgomp 12 has no such entries.
// REQUIRES: nanogomp
// RUN: %omp_test
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>

static void (*GOMP_add_alloc)(void *);
static bool (*GOMP_is_alloc)(void *);

int main(void) {
  *(void **)&GOMP_add_alloc = dlsym(RTLD_DEFAULT, "GOMP_add_alloc");
  *(void **)&GOMP_is_alloc = dlsym(RTLD_DEFAULT, "GOMP_is_alloc");
  CHECK(GOMP_add_alloc && GOMP_is_alloc);
  CHECK(!GOMP_is_alloc(NULL) && !GOMP_is_alloc(&(int){0}));
  GOMP_add_alloc(NULL);
  CHECK(!GOMP_is_alloc(NULL));
#pragma omp parallel num_threads(16)
  {
    enum { COUNT = 300 };
    void *p[COUNT];
    for (int turn = 0; turn < CHECK_TIMES(30); turn++) {
      for (int i = 0; i < COUNT; i++) {
        p[i] = i % 2 ? omp_alloc(8, omp_default_mem_alloc) : malloc(8);
        CHECK(p[i]);
        if (i % 2)
          GOMP_add_alloc(p[i]);
      }
      for (int k = 0; k < COUNT; k++) {
        int i = k * 7 % COUNT;
        CHECK_EQ(GOMP_is_alloc(p[i]), i % 2);
        CHECK(!GOMP_is_alloc(p[i]));
        if (i % 2)
          omp_free(p[i], omp_null_allocator);
        else
          free(p[i]);
      }
    }
  }
  return 0;
}
