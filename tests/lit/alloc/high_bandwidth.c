/* high_bandwidth.c - allocators of the high-bandwidth space on a machine without such memory */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that they give ordinary memory, whatever their fallback trait says, pinned and in pools,
// and that a pool that is full is the fallback trait's affair.
// nanogomp-only: libgomp 12 makes no such allocator; libgomp 16 passes this test.
// REQUIRES: base, nanogomp
// RUN: rm -rf %t.sys && mkdir -p %t.sys/sys/devices/system/node/node0
// RUN: echo 0 > %t.sys/sys/devices/system/node/online
// RUN: echo 0 > %t.sys/sys/devices/system/node/has_memory
// RUN: %omp_build %s -o %t
// RUN: env NTH_TEST_SYS_ROOT=%t.sys %omp_run %t
// RUN: %omp_run %t
#include "check.h"

enum { SIZE = 100, POOL = 1000 };

static void memory(omp_allocator_handle_t allocator) {
  char *p = omp_alloc(SIZE, allocator), *q = omp_calloc(10, SIZE / 10, allocator);
  CHECK(p && q);
  memset(p, 1, SIZE);
  CHECK_EQ(q[SIZE - 1], 0);
  p = omp_realloc(p, 2 * SIZE, allocator, allocator);
  CHECK(p && p[0] == 1 && p[SIZE - 1] == 1);
  memset(p, 2, 2 * SIZE);
  char *other = omp_aligned_alloc(256, SIZE, allocator);
  CHECK(other && (uintptr_t)other % 256 == 0);
  omp_free(other, allocator);
  omp_free(p, allocator);
  omp_free(q, omp_null_allocator);
}

static omp_allocator_handle_t make(omp_uintptr_t fallback, omp_alloctrait_key_t key,
                                   omp_uintptr_t value) {
  omp_alloctrait_t traits[] = {
      {omp_atk_fallback, fallback}, {omp_atk_fb_data, omp_large_cap_mem_alloc}, {key, value}};
  omp_allocator_handle_t made = omp_init_allocator(omp_high_bw_mem_space, 3, traits);
  CHECK(made != omp_null_allocator);
  return made;
}

int main(void) {
  static const omp_uintptr_t fallbacks[] = {omp_atv_default_mem_fb, omp_atv_null_fb,
                                            omp_atv_abort_fb, omp_atv_allocator_fb};
  for (int i = 0; i < 4; i++) {
    omp_allocator_handle_t plain = make(fallbacks[i], omp_atk_alignment, 32);
    omp_allocator_handle_t pinned = make(fallbacks[i], omp_atk_pinned, omp_atv_true);
    omp_allocator_handle_t pool = make(fallbacks[i], omp_atk_pool_size, POOL);
    omp_allocator_handle_t near = make(fallbacks[i], omp_atk_partition, omp_atv_nearest);
    memory(plain);
    memory(pinned);
    memory(pool);
    memory(near);
    if (fallbacks[i] != omp_atv_abort_fb) {
      char *p = omp_alloc(POOL, pool);
      CHECK((p != NULL) == (fallbacks[i] != omp_atv_null_fb));
      omp_free(p, pool);
    }
    omp_destroy_allocator(plain);
    omp_destroy_allocator(pinned);
    omp_destroy_allocator(pool);
    omp_destroy_allocator(near);
  }
  omp_allocator_handle_t none = omp_init_allocator(omp_high_bw_mem_space, 0, NULL);
  CHECK(none != omp_null_allocator);
  memory(none);
  memory(omp_high_bw_mem_alloc);
  omp_destroy_allocator(none);
#pragma omp parallel
  memory(omp_high_bw_mem_alloc);
  int x = 5;
#pragma omp parallel firstprivate(x) allocate(omp_high_bw_mem_alloc : x)
  CHECK_EQ(x, 5);
  return 0;
}
