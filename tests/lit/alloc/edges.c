/* edges.c - memory routines: arguments that the specification does not provide for */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks odd alignments (the next power of two), alignment kept by omp_realloc, allocators that are
// none, circles of fallbacks, and memory that outlives its allocator.
// nanogomp-only: libgomp 12 returns memory of any alignment, follows wrong handles, and reads a
// destroyed allocator; an allocator_fb without fb_data hangs it.
// REQUIRES: nanogomp, base
// RUN: %omp_test
#include "check.h"

static omp_allocator_handle_t pool(omp_uintptr_t size, omp_alloctrait_value_t fallback,
                                   omp_allocator_handle_t next) {
  omp_alloctrait_t traits[] = {{omp_atk_pool_size, (omp_alloctrait_value_t)size},
                               {omp_atk_fallback, fallback},
                               {omp_atk_fb_data, (omp_alloctrait_value_t)next}};
  return omp_init_allocator(omp_default_mem_space, 3, traits);
}

static void alignments(void) {
  for (size_t align = 0; align < 300; align++) {
    size_t power = 1;
    while (power < align)
      power *= 2;
    void *p = omp_aligned_alloc(align, 24, omp_default_mem_alloc);
    CHECK(p && (uintptr_t)p % power == 0);
    omp_free(p, omp_default_mem_alloc);
  }
  CHECK(!omp_aligned_alloc(((size_t)1 << 63) + 1, 8, omp_default_mem_alloc));
  CHECK(!omp_aligned_alloc((size_t)1 << 63, 8, omp_default_mem_alloc));
  CHECK(!omp_aligned_alloc((size_t)1 << 56, 8, omp_default_mem_alloc));
  void *p = omp_aligned_alloc(256, 100, omp_default_mem_alloc);
  for (size_t size = 100; size < 20000; size += 333) {
    p = omp_realloc(p, size, omp_default_mem_alloc, omp_default_mem_alloc);
    CHECK(p && (uintptr_t)p % 256 == 0);
  }
  omp_free(p, omp_default_mem_alloc);
}

static void handles(void) {
  for (uintptr_t n = 9; n < 300; n++) {
    void *p = omp_alloc(64, (omp_allocator_handle_t)n);
    omp_free(p, (omp_allocator_handle_t)n);
    omp_destroy_allocator((omp_allocator_handle_t)n);
  }
  omp_allocator_handle_t a = pool(100, omp_atv_allocator_fb, omp_null_allocator);
  void *p = omp_alloc(200, a);
  CHECK(p != NULL);
  omp_free(p, a);
  omp_destroy_allocator(a);
}

/* fb_data is gone, and its address may be the one of an allocator that leads back. */
static void circle(void) {
  omp_allocator_handle_t a = pool(100, omp_atv_null_fb, omp_null_allocator);
  omp_allocator_handle_t b = pool(100, omp_atv_allocator_fb, a);
  omp_destroy_allocator(a);
  omp_allocator_handle_t again = pool(100, omp_atv_allocator_fb, b);
  if (again == a)
    CHECK(!omp_alloc(200, b));
  omp_destroy_allocator(b);
  omp_destroy_allocator(again);
}

static void outlives(void) {
  for (int turn = 0; turn < 100; turn++) {
    omp_allocator_handle_t a = pool(4096, omp_atv_null_fb, omp_null_allocator);
    char *p = omp_alloc(1000, a), *q = omp_alloc(1000, a);
    CHECK(p && q);
    omp_destroy_allocator(a);
    memset(p, 1, 1000);
    memset(q, 2, 1000);
    omp_free(p, omp_null_allocator);
    CHECK_EQ(q[999], 2);
    omp_free(q, omp_null_allocator);
  }
}

int main(void) {
  alignments();
  handles();
  circle();
  outlives();
  return 0;
}
