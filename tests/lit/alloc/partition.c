/* partition.c - the trait partition and high-bandwidth memory, on a machine of two memory nodes */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks contents, alignment and sizes of placed memory. The second node is laid out for the test:
// the kernel may refuse to place memory on it, which is said once and changes nothing else.
// nanogomp-only: it reads the test's tree.
// REQUIRES: nanogomp, base
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: rm -rf %t.sys && mkdir -p %t.sys/sys/devices/system/node/node0/access0/initiators
// RUN: mkdir -p %t.sys/sys/devices/system/node/node1/access0/initiators
// RUN: echo 0-1 > %t.sys/sys/devices/system/node/has_memory
// RUN: env NTH_TEST_SYS_ROOT=%t.sys %omp_run %t
// RUN: echo 100 > %t.sys/sys/devices/system/node/node0/access0/initiators/read_bandwidth
// RUN: echo 400 > %t.sys/sys/devices/system/node/node1/access0/initiators/read_bandwidth
// RUN: env NTH_TEST_SYS_ROOT=%t.sys %omp_run %t
#include "check.h"

static void lives(omp_allocator_handle_t a, size_t alignment) {
  CHECK(a != omp_null_allocator);
  unsigned char *p = NULL;
  size_t had = 0;
  for (size_t size = 1; size < 100000; size = size * 3 + 1) {
    unsigned char *zero = omp_calloc(1, size, a);
    CHECK(zero && (uintptr_t)zero % alignment == 0);
    for (size_t i = 0; i < size; i++)
      CHECK_EQ(zero[i], 0);
    memset(zero, 0xff, size);
    p = omp_realloc(p, size, a, a);
    CHECK(p && (uintptr_t)p % alignment == 0);
    for (size_t i = 0; i < had; i++)
      CHECK_EQ(p[i], (unsigned char)i);
    for (size_t i = 0; i < size; i++)
      p[i] = (unsigned char)i;
    had = size;
    omp_free(zero, a);
  }
  omp_free(p, omp_null_allocator);
}

int main(void) {
  static const omp_uintptr_t partitions[] = {omp_atv_environment, omp_atv_nearest, omp_atv_blocked,
                                             omp_atv_interleaved};
#pragma omp parallel
  {
    for (int i = 0; i < 4; i++)
      for (int space = 0; space <= 4; space++) {
        omp_alloctrait_t traits[] = {
            {omp_atk_partition, (omp_alloctrait_value_t)partitions[i]},
            {omp_atk_alignment, (omp_alloctrait_value_t)(space == 2 ? 16384 : 32)}};
        omp_allocator_handle_t a = omp_init_allocator((omp_memspace_handle_t)space, 2, traits);
        lives(a, space == 2 ? 16384 : 32);
        omp_destroy_allocator(a);
      }
    lives(omp_high_bw_mem_alloc, 16);
  }
  return 0;
}
