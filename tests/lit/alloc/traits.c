/* traits.c - omp_init_allocator: every memory space, trait and value, and what is none */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks which traits make an allocator and which give omp_null_allocator; that omp_atv_default
// undoes an earlier trait; that an allocator serves memory whatever its traits are.
// REQUIRES: base
// RUN: %omp_test
#include "check.h"

static omp_allocator_handle_t make(omp_alloctrait_key_t key, omp_uintptr_t value) {
  omp_alloctrait_t trait = {key, (omp_alloctrait_value_t)value};
  return omp_init_allocator(omp_default_mem_space, 1, &trait);
}

static void good(omp_alloctrait_key_t key, omp_uintptr_t value) {
  omp_allocator_handle_t a = make(key, value);
  CHECK(a != omp_null_allocator);
  char *p = omp_alloc(100, a);
  CHECK(p != NULL);
  memset(p, 1, 100);
  omp_free(p, a);
  omp_destroy_allocator(a);
}

static void bad(omp_alloctrait_key_t key, omp_uintptr_t value) {
  CHECK_EQ(make(key, value), omp_null_allocator);
}

/* The values first .. last and the default are all there are. */
static void only(omp_alloctrait_key_t key, omp_uintptr_t first, omp_uintptr_t last) {
  for (omp_uintptr_t v = 0; v < 300; v++)
    if (v >= first && v <= last)
      good(key, v);
    else
      bad(key, v);
  good(key, omp_atv_default);
  bad(key, (omp_uintptr_t)1 << 32 | first);
  bad(key, (omp_uintptr_t)-2);
}

static void alignments(void) {
  for (int shift = 0; shift < 21; shift++) {
    omp_uintptr_t value = (omp_uintptr_t)1 << shift;
    omp_allocator_handle_t a = make(omp_atk_alignment, value);
    CHECK(a != omp_null_allocator);
    for (size_t size = 1; size < 3000; size += 700) {
      void *p = omp_alloc(size, a);
      CHECK(p != NULL);
      CHECK_EQ((uintptr_t)p & (value - 1), 0);
      memset(p, 1, size);
      omp_free(p, a);
    }
    omp_destroy_allocator(a);
    if (shift > 1)
      bad(omp_atk_alignment, value + 1);
  }
  good(omp_atk_alignment, omp_atv_default);
  bad(omp_atk_alignment, 0);
  bad(omp_atk_alignment, (omp_uintptr_t)3 << 40);
}

static void several(void) {
  omp_alloctrait_t pool[] = {{omp_atk_pool_size, (omp_alloctrait_value_t)64},
                             {omp_atk_fallback, omp_atv_null_fb},
                             {omp_atk_pool_size, (omp_alloctrait_value_t)omp_atv_default}};
  omp_allocator_handle_t a = omp_init_allocator(omp_default_mem_space, 3, pool);
  void *p = omp_alloc(4096, a);
  CHECK(p != NULL);
  omp_free(p, a);
  omp_destroy_allocator(a);
  omp_alloctrait_t late[] = {{omp_atk_alignment, (omp_alloctrait_value_t)64},
                             {omp_atk_alignment, (omp_alloctrait_value_t)7}};
  CHECK_EQ(omp_init_allocator(omp_default_mem_space, 2, late), omp_null_allocator);
}

int main(void) {
  only(omp_atk_sync_hint, omp_atv_contended, omp_atv_private);
  only(omp_atk_access, omp_atv_all, omp_atv_cgroup);
  only(omp_atk_fallback, omp_atv_default_mem_fb, omp_atv_allocator_fb);
  only(omp_atk_partition, omp_atv_environment, omp_atv_interleaved);
  alignments();
  several();
  good(omp_atk_pinned, omp_atv_false);
  good(omp_atk_pinned, omp_atv_default);
  bad(omp_atk_pinned, 2);
  good(omp_atk_pool_size, 4096);
  good(omp_atk_pool_size, omp_atv_default);
  good(omp_atk_fb_data, omp_default_mem_alloc);
  bad((omp_alloctrait_key_t)0, 1);
  bad((omp_alloctrait_key_t)99, 1);
  static const omp_memspace_handle_t spaces[] = {omp_default_mem_space, omp_large_cap_mem_space,
                                                 omp_const_mem_space, omp_low_lat_mem_space};
  for (unsigned i = 0; i < 4; i++) {
    omp_allocator_handle_t a = omp_init_allocator(spaces[i], 0, NULL);
    CHECK(a != omp_null_allocator);
    omp_destroy_allocator(a);
  }
  CHECK_EQ(omp_init_allocator((omp_memspace_handle_t)5, 0, NULL), omp_null_allocator);
  CHECK_EQ(omp_init_allocator((omp_memspace_handle_t)-1, 0, NULL), omp_null_allocator);
  omp_destroy_allocator(omp_null_allocator);
  return 0;
}
