/* default.c - def-allocator-var: each implicit task has its own, omp_null_allocator means it */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks inheritance by regions, that setting it in one is not seen by others, and that
// memory of omp_null_allocator has the default allocator's traits.
// RUN: %omp_test
#include "check.h"

static void is_wide(void) {
  void *p[10];
  for (int i = 0; i < 10; i++) {
    p[i] = omp_alloc(8, omp_null_allocator);
    CHECK(p[i] && (uintptr_t)p[i] % 1024 == 0);
  }
  for (int i = 0; i < 10; i++)
    omp_free(p[i], omp_null_allocator);
}

int main(void) {
  omp_alloctrait_t trait = {omp_atk_alignment, (omp_alloctrait_value_t)1024};
  omp_allocator_handle_t wide = omp_init_allocator(omp_default_mem_space, 1, &trait);
  CHECK_EQ(omp_get_default_allocator(), omp_default_mem_alloc);
  omp_set_default_allocator(omp_large_cap_mem_alloc);
  CHECK_EQ(omp_get_default_allocator(), omp_large_cap_mem_alloc);
  omp_set_default_allocator(omp_null_allocator);
  CHECK_EQ(omp_get_default_allocator(), omp_default_mem_alloc);
  omp_set_default_allocator(wide);
  is_wide();
#pragma omp parallel
  {
    CHECK_EQ(omp_get_default_allocator(), wide);
    is_wide();
#pragma omp barrier
    if (omp_get_thread_num() % 2)
      omp_set_default_allocator(omp_const_mem_alloc);
#pragma omp barrier
    CHECK_EQ(omp_get_default_allocator(), omp_get_thread_num() % 2 ? omp_const_mem_alloc : wide);
  }
  CHECK_EQ(omp_get_default_allocator(), wide);
  omp_set_default_allocator(omp_default_mem_alloc);
  omp_destroy_allocator(wide);
  return 0;
}
