/* abort.c - memory that a program must have and does not get */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that abort_fb, at the end of a chain too, and the allocate clause end the program with
// libgomp's line and status 1, and that size 0 is no reason to.
// REQUIRES: base
// RUN: %omp_build %s -o %t
// RUN: %omp_run --status 1 %t alloc 2>&1 | %FileCheck %s --check-prefix=SMALL
// RUN: %omp_run --status 1 %t calloc 2>&1 | %FileCheck %s --check-prefix=SMALL
// RUN: %omp_run --status 1 %t realloc 2>&1 | %FileCheck %s --check-prefix=SMALL
// RUN: %omp_run --status 1 %t chain 2>&1 | %FileCheck %s --check-prefix=SMALL
// RUN: %omp_run --status 1 %t overflow 2>&1 | %FileCheck %s --check-prefix=ANY
// RUN: %omp_run --status 1 %t clause 2>&1 | %FileCheck %s --check-prefix=SMALL
// RUN: %omp_run %t zero
// SMALL: libgomp: Out of memory allocating 2000 bytes
// ANY: libgomp: Out of memory allocating {{[0-9]+}} bytes
#include "check.h"

static omp_allocator_handle_t make(omp_alloctrait_value_t fallback, omp_allocator_handle_t next) {
  omp_alloctrait_t traits[] = {{omp_atk_pool_size, (omp_alloctrait_value_t)1024},
                               {omp_atk_fallback, fallback},
                               {omp_atk_fb_data, (omp_alloctrait_value_t)next}};
  return omp_init_allocator(omp_default_mem_space, 3, traits);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  omp_allocator_handle_t a = make(omp_atv_abort_fb, omp_null_allocator);
  omp_allocator_handle_t b = make(omp_atv_allocator_fb, a);
  omp_allocator_handle_t c = make(omp_atv_null_fb, omp_null_allocator);
  volatile size_t half = (size_t)1 << 33;
  if (strcmp(what, "alloc") == 0)
    omp_alloc(2000, a);
  if (strcmp(what, "calloc") == 0)
    omp_calloc(20, 100, a);
  if (strcmp(what, "realloc") == 0)
    omp_realloc(omp_alloc(100, a), 2000, a, a);
  if (strcmp(what, "chain") == 0)
    omp_alloc(2000, b);
  if (strcmp(what, "overflow") == 0)
    omp_calloc(half, half, a);
  if (strcmp(what, "clause") == 0) {
    char array[2000];
#pragma omp parallel private(array) allocate(c : array) num_threads(1)
    memset(array, 1, sizeof array);
  }
  if (strcmp(what, "zero") == 0) {
    CHECK(!omp_alloc(0, a) && !omp_calloc(0, 1, a) && !omp_realloc(NULL, 0, a, a));
    omp_destroy_allocator(c);
    omp_destroy_allocator(b);
    omp_destroy_allocator(a);
    return 0;
  }
  fprintf(stderr, "went on\n");
  return 0;
}
