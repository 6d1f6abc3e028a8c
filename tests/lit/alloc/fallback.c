/* fallback.c - the trait fallback: null_fb, default_mem_fb, allocator_fb and chains of them */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks where memory comes from when a pool is used up, for every routine, and that old memory
// stays when omp_realloc finds none.
// REQUIRES: base
// RUN: %omp_test
#include "check.h"

static omp_allocator_handle_t make(omp_uintptr_t pool, omp_alloctrait_value_t fallback,
                                   omp_allocator_handle_t next) {
  omp_alloctrait_t traits[] = {{omp_atk_pool_size, (omp_alloctrait_value_t)pool},
                               {omp_atk_fallback, fallback},
                               {omp_atk_fb_data, (omp_alloctrait_value_t)next}};
  return omp_init_allocator(omp_default_mem_space, 3, traits);
}

static void none(void) {
  omp_allocator_handle_t a = make(1024, omp_atv_null_fb, omp_null_allocator);
  CHECK(!omp_alloc(2000, a));
  CHECK(!omp_aligned_alloc(64, 2000, a));
  CHECK(!omp_calloc(2, 1000, a));
  CHECK(!omp_aligned_calloc(64, 2, 1000, a));
  char *p = omp_alloc(100, a);
  memset(p, 5, 100);
  CHECK(!omp_realloc(p, 2000, a, a));
  CHECK(!omp_realloc(p, 2000, omp_null_allocator, a)); /* its own, not the default one */
  CHECK_EQ(p[99], 5);
  omp_free(p, a);
  p = omp_alloc(100, omp_default_mem_alloc);
  memset(p, 6, 100);
  CHECK(!omp_realloc(p, 2000, a, omp_default_mem_alloc));
  CHECK_EQ(p[99], 6);
  omp_free(p, omp_default_mem_alloc);
  omp_destroy_allocator(a);
}

/* A fallback to the allocator that the block has already: with room where it is it need not
 * move. */
static void stays(void) {
  omp_allocator_handle_t a = make(1024, omp_atv_default_mem_fb, omp_null_allocator);
  char *p = omp_alloc(3000, omp_default_mem_alloc);
  memset(p, 7, 3000);
  char *q = omp_realloc(p, 3000, a, omp_default_mem_alloc);
  CHECK(q && q[2999] == 7);
  q = omp_realloc(q, 100000, a, omp_default_mem_alloc);
  CHECK(q && q[2999] == 7);
  q = omp_realloc(q, 100, a, omp_default_mem_alloc); /* this is in the pool */
  CHECK(q && q[99] == 7);
  omp_free(q, a);
  omp_destroy_allocator(a);
}

static void otherwise(omp_allocator_handle_t a) {
  char *p = omp_alloc(2000, a), *q = omp_aligned_alloc(64, 2000, a), *r = omp_calloc(2, 1000, a),
       *s = omp_realloc(NULL, 2000, a, a);
  CHECK(p && q && r && s);
  CHECK_EQ((uintptr_t)q % 64, 0);
  for (int i = 0; i < 2000; i++)
    CHECK_EQ(r[i], 0);
  memset(p, 1, 2000);
  p = omp_realloc(p, 3000, a, a);
  CHECK(p && p[1999] == 1);
  omp_free(p, a);
  omp_free(q, a);
  omp_free(r, omp_null_allocator);
  omp_free(s, a);
  CHECK(!omp_alloc((size_t)1 << 60, a));
}

/* A small pool, then a larger one, then nothing. */
static void chain(void) {
  omp_allocator_handle_t large = make(8192, omp_atv_null_fb, omp_null_allocator);
  omp_allocator_handle_t middle = make(64, omp_atv_allocator_fb, large);
  omp_allocator_handle_t small = make(1024, omp_atv_allocator_fb, middle);
  char *p = omp_alloc(700, small), *q = omp_alloc(700, small);
  CHECK(p && q);
  void *rest = omp_alloc(7500, large); /* beside q there is no room for it */
  CHECK(!rest);
  CHECK(!omp_alloc(7500, small));
  omp_free(q, small);
  rest = omp_alloc(7500, small);
  CHECK(rest && !omp_alloc(1000, large));
  omp_free(rest, small);
  omp_free(p, small);
  omp_destroy_allocator(small);
  omp_destroy_allocator(middle);
  omp_destroy_allocator(large);
}

int main(void) {
  none();
  stays();
  omp_allocator_handle_t a = make(1024, omp_atv_default_mem_fb, omp_null_allocator);
  otherwise(a);
  omp_allocator_handle_t b = make(1024, omp_atv_allocator_fb, omp_large_cap_mem_alloc);
  otherwise(b);
  omp_allocator_handle_t c = make(1024, omp_atv_allocator_fb, a);
  otherwise(c);
  otherwise(omp_default_mem_alloc);
  chain();
  omp_destroy_allocator(c);
  omp_destroy_allocator(b);
  omp_destroy_allocator(a);
  return 0;
}
