/* basic.c - omp_alloc, omp_calloc, omp_realloc, omp_free and the aligned ones */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks contents, zeroing of used memory, alignments, size 0, products that do not fit, moves
// between allocators, and that a pointer is given back without naming its allocator.
// RUN: %omp_test
#include "check.h"

static omp_allocator_handle_t aligned_allocator(omp_uintptr_t alignment) {
  omp_alloctrait_t trait = {omp_atk_alignment, (omp_alloctrait_value_t)alignment};
  return omp_init_allocator(omp_default_mem_space, 1, &trait);
}

static void fill(unsigned char *p, size_t size, unsigned seed) {
  for (size_t i = 0; i < size; i++)
    p[i] = (unsigned char)(seed + i * 7);
}

static void holds(const unsigned char *p, size_t size, unsigned seed) {
  for (size_t i = 0; i < size; i++)
    CHECK_EQ(p[i], (unsigned char)(seed + i * 7));
}

static void predefined(void) {
  static const omp_allocator_handle_t all[] = {
      omp_null_allocator,   omp_default_mem_alloc, omp_large_cap_mem_alloc,
      omp_const_mem_alloc,  omp_high_bw_mem_alloc, omp_low_lat_mem_alloc,
      omp_cgroup_mem_alloc, omp_pteam_mem_alloc,   omp_thread_mem_alloc};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    unsigned char *p = omp_alloc(1000, all[i]), *q = omp_calloc(10, 100, all[i]);
    CHECK(p && q && (uintptr_t)p % 16 == 0 && (uintptr_t)q % 16 == 0);
    fill(p, 1000, i);
    for (int b = 0; b < 1000; b++)
      CHECK_EQ(q[b], 0);
    holds(p, 1000, i);
    omp_free(p, all[i]);
    omp_free(q, omp_null_allocator);
    CHECK(!omp_alloc((size_t)1 << 60, all[i]));
  }
}

static void nothing(void) {
  CHECK(!omp_alloc(0, omp_default_mem_alloc));
  CHECK(!omp_aligned_alloc(64, 0, omp_default_mem_alloc));
  CHECK(!omp_calloc(0, 8, omp_default_mem_alloc));
  CHECK(!omp_calloc(8, 0, omp_default_mem_alloc));
  CHECK(!omp_aligned_calloc(64, 0, 8, omp_default_mem_alloc));
  CHECK(!omp_realloc(NULL, 0, omp_default_mem_alloc, omp_default_mem_alloc));
  omp_free(NULL, omp_default_mem_alloc);
  omp_free(NULL, omp_null_allocator);
}

static void too_much(void) {
  volatile size_t half = (size_t)1 << 33, max = (size_t)-1;
  CHECK(!omp_calloc(half, half, omp_default_mem_alloc));
  CHECK(!omp_aligned_calloc(64, half, half + 1, omp_default_mem_alloc));
  for (size_t less = 0; less < 100; less++)
    CHECK(!omp_alloc(max - less, omp_default_mem_alloc));
  CHECK(!omp_aligned_alloc((size_t)1 << 62, max, omp_default_mem_alloc));
  unsigned char *p = omp_alloc(100, omp_default_mem_alloc);
  fill(p, 100, 3);
  CHECK(!omp_realloc(p, max - 8, omp_default_mem_alloc, omp_default_mem_alloc));
  holds(p, 100, 3);
  omp_free(p, omp_default_mem_alloc);
}

/* Dirty memory goes back and comes again. */
static void zeroed(void) {
  for (size_t size = 1; size < 300000; size = size * 3 + 1)
    for (size_t align = 1; align <= 8192; align *= 4) {
      unsigned char *p = omp_aligned_alloc(align, size, omp_default_mem_alloc);
      CHECK(p && (uintptr_t)p % align == 0);
      memset(p, 0xff, size);
      omp_free(p, omp_default_mem_alloc);
      p = omp_aligned_calloc(align, 1, size, omp_default_mem_alloc);
      CHECK(p && (uintptr_t)p % align == 0);
      for (size_t i = 0; i < size; i++)
        CHECK_EQ(p[i], 0);
      memset(p, 0xff, size);
      omp_free(p, omp_default_mem_alloc);
    }
}

static void resized(omp_allocator_handle_t from, omp_allocator_handle_t to, omp_uintptr_t align) {
  unsigned char *p = omp_realloc(NULL, 40, from, omp_null_allocator);
  size_t had = 40;
  fill(p, had, 1);
  for (size_t size = 1; size < 400000; size = size * 2 + 5) {
    p = omp_realloc(p, size, to, size % 2 ? from : omp_null_allocator);
    CHECK(p && (uintptr_t)p % align == 0);
    holds(p, had < size ? had : size, 1);
    fill(p, size, 1);
    had = size;
    from = to;
  }
  p = omp_realloc(p, 3, omp_null_allocator, omp_null_allocator);
  holds(p, 3, 1);
  CHECK(!omp_realloc(p, 0, to, to));
}

int main(void) {
  omp_allocator_handle_t wide = aligned_allocator(512), pages = aligned_allocator(16384);
#pragma omp parallel
  {
    predefined();
    nothing();
    resized(omp_default_mem_alloc, omp_default_mem_alloc, 16);
    resized(omp_default_mem_alloc, omp_large_cap_mem_alloc, 16);
    resized(omp_default_mem_alloc, wide, 512);
    resized(wide, omp_default_mem_alloc, 16);
    resized(pages, pages, 16384);
  }
  too_much();
  zeroed();
  omp_destroy_allocator(wide);
  omp_destroy_allocator(pages);
  return 0;
}
