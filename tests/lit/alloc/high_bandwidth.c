/* high_bandwidth.c - a machine with and one without high-bandwidth memory: the fallback trait answers */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: base, nanogomp
// RUN: rm -rf %t.sys && mkdir -p %t.sys/sys/devices/system/node/node0
// RUN: echo 0 > %t.sys/sys/devices/system/node/online
// RUN: echo 0 > %t.sys/sys/devices/system/node/has_memory
// RUN: %omp_build %s -o %t
// RUN: env NTH_TEST_SYS_ROOT=%t.sys %omp_run %t
#include "check.h"

static omp_allocator_handle_t make(omp_alloctrait_value_t fallback, omp_allocator_handle_t next) {
  omp_alloctrait_t traits[] = {{omp_atk_fallback, fallback},
                               {omp_atk_fb_data, (omp_alloctrait_value_t)next}};
  return omp_init_allocator(omp_high_bw_mem_space, 2, traits);
}

int main(void) {
  omp_allocator_handle_t null = make(omp_atv_null_fb, omp_null_allocator);
  omp_allocator_handle_t other = make(omp_atv_default_mem_fb, omp_null_allocator);
  omp_allocator_handle_t chain = make(omp_atv_allocator_fb, null);
  CHECK(null != omp_null_allocator && other != omp_null_allocator);
  CHECK(!omp_alloc(100, null));
  CHECK(!omp_calloc(10, 10, chain));
  char *p = omp_alloc(100, other), *q = omp_alloc(100, omp_high_bw_mem_alloc);
  CHECK(p && q);
  memset(p, 1, 100);
  memset(q, 2, 100);
  omp_free(p, other);
  omp_free(q, omp_null_allocator);
  omp_destroy_allocator(chain);
  omp_destroy_allocator(other);
  omp_destroy_allocator(null);
  return 0;
}
