/* environment.c - OMP_ALLOCATOR with a memory space and traits */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the allocator the variable describes is the default of every root thread and region,
// that a space without traits means its predefined allocator, and that one that cannot be made is
// said and replaced.
// nanogomp-only: libgomp 12 knows predefined allocators only.
// REQUIRES: nanogomp, base
// RUN: %omp_build %s -o %t
// RUN: env OMP_ALLOCATOR=omp_default_mem_space:alignment=512,pool_size=4096,fallback=null_fb \
// RUN:   %omp_run %t 512 4096
// RUN: env OMP_ALLOCATOR=omp_large_cap_mem_space:alignment=64 %omp_run %t 64 0
// RUN: env OMP_ALLOCATOR=" OMP_Const_mem_space : pool_size = 1000 , fallback = null_fb " \
// RUN:   %omp_run %t 1 1000
// RUN: env OMP_ALLOCATOR=omp_low_lat_mem_space %omp_run %t 1 0
// RUN: env OMP_ALLOCATOR=omp_default_mem_space:alignment=48 %omp_run %t 1 0 2>&1 | %FileCheck %s
// RUN: env OMP_ALLOCATOR=omp_large_cap_mem_space OMP_DISPLAY_ENV=true %omp_run %t 1 0 2 \
// RUN:   2>&1 | %FileCheck %s -check-prefix=SPACE
// RUN: env OMP_ALLOCATOR=ompx_gnu_managed_mem_space OMP_DISPLAY_ENV=true %omp_run %t 1 0 201 \
// RUN:   2>&1 | %FileCheck %s -check-prefix=MANAGED
// RUN: env OMP_ALLOCATOR=" omp_const_mem_space:pinned=false " OMP_DISPLAY_ENV=true %omp_run \
// RUN:   %t 1 0 2>&1 | %FileCheck %s -check-prefix=TRAITS --strict-whitespace
// SPACE: [host] OMP_ALLOCATOR = 'omp_large_cap_mem_alloc'
// MANAGED: [host] OMP_ALLOCATOR = 'ompx_gnu_managed_mem_alloc'
// TRAITS: [host] OMP_ALLOCATOR = ' omp_const_mem_space:pinned=false '
// CHECK: libgomp: Allocator of environment variable OMP_ALLOCATOR cannot be created
#include "check.h"
#include <pthread.h>

static size_t alignment, pool;

static void serves(void) {
  void *p[4];
  for (int i = 0; i < 4; i++) {
    p[i] = omp_alloc(8, omp_null_allocator);
    CHECK(p[i] && (uintptr_t)p[i] % alignment == 0);
  }
  void *q = omp_alloc(pool + 1, omp_null_allocator);
  CHECK_EQ(q == NULL, pool != 0);
  omp_free(q, omp_null_allocator);
  for (int i = 0; i < 4; i++)
    omp_free(p[i], omp_null_allocator);
}

static void *root(void *unused) {
  (void)unused;
  serves();
#pragma omp parallel
#pragma omp critical
  serves();
  return NULL;
}

int main(int argc, char **argv) {
  CHECK(argc >= 3);
  alignment = strtoul(argv[1], NULL, 10);
  pool = strtoul(argv[2], NULL, 10);
  omp_allocator_handle_t a = omp_get_default_allocator();
  CHECK(a != omp_null_allocator);
  if (argc > 3)
    CHECK_EQ(a, strtoul(argv[3], NULL, 10));
  root(NULL);
  pthread_t other;
  CHECK_EQ(pthread_create(&other, NULL, root, NULL), 0);
  CHECK_EQ(pthread_join(other, NULL), 0);
  CHECK_EQ(omp_get_default_allocator(), a);
  return 0;
}
