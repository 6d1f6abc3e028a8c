/* pinned.c - the trait pinned: locked pages, and the fallback where they are refused */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the process's locked memory while blocks of all routines live and after, contents and
// alignment; without the right to lock, each fallback; with
// the right to lock few pages, blocks whose alignment is larger than these pages together.
// nanogomp-only: libgomp 12 makes no allocator with pinned=true.
// REQUIRES: nanogomp, base
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: %omp_run %t few
// RUN: %omp_run %t refused 2>&1 | %FileCheck %s
// CHECK: nanogomp: cannot pin {{[0-9]+}} bytes: {{.*}}; the allocator's fallback
// CHECK-NOT: cannot pin
// CHECK: all as wanted
#define _GNU_SOURCE
#include "check.h"
#include "locked.h"
#include <sys/mman.h>
#include <sys/resource.h>

#define PINNED_ALLOC ((omp_allocator_handle_t)200) /* ompx_gnu_pinned_mem_alloc */

static omp_allocator_handle_t make(omp_alloctrait_value_t fallback, omp_uintptr_t alignment) {
  omp_alloctrait_t traits[] = {{omp_atk_pinned, omp_atv_true},
                               {omp_atk_fallback, fallback},
                               {omp_atk_alignment, (omp_alloctrait_value_t)alignment}};
  return omp_init_allocator(omp_default_mem_space, 3, traits);
}

static void lives(omp_allocator_handle_t a, size_t alignment) {
  long before = locked();
  char *p = omp_alloc(5000, a), *q = omp_calloc(50, 100, a), *r = omp_aligned_alloc(8192, 1, a);
  CHECK(p && q && r);
  CHECK_EQ((uintptr_t)p % alignment, 0);
  CHECK_EQ((uintptr_t)r % 8192, 0);
  for (int i = 0; i < 5000; i++)
    CHECK_EQ(q[i], 0);
  if (CHECK_SLOWER == 1) /* sanitizers lock nothing */
    CHECK(locked() >= before + 8 + 8 + 4);
  memset(p, 1, 5000);
  for (size_t size = 5000; size < 20000; size += 1000) {
    p = omp_realloc(p, size, a, a);
    CHECK(p && p[4999] == 1 && (uintptr_t)p % alignment == 0);
  }
  p = omp_realloc(p, 100, omp_default_mem_alloc, a);
  CHECK(p && p[99] == 1);
  omp_free(p, omp_default_mem_alloc);
  omp_free(q, omp_null_allocator);
  omp_free(r, a);
  CHECK_EQ(locked(), before);
}

static bool can_lock(void) {
  static char page[8192];
  bool can = mlock(page, sizeof page) == 0;
  munlock(page, sizeof page);
  return can;
}

static void limit_locks(rlim_t bytes) {
  struct rlimit limit = {bytes, bytes};
  CHECK_EQ(setrlimit(RLIMIT_MEMLOCK, &limit), 0);
  if (geteuid() == 0)
    CHECK_EQ(setresuid(65534, 65534, 65534), 0);
}

/* 16 pages may be locked: enough for four blocks of three pages, one with the header among them. */
static int few(void) {
  struct rlimit had;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  CHECK_EQ(getrlimit(RLIMIT_MEMLOCK, &had), 0);
  if (had.rlim_max < 16 * page)
    return 0;
  limit_locks(16 * page);
  omp_allocator_handle_t a = make(omp_atv_null_fb, 1);
  char *block[4];
  for (int i = 0; i < 4; i++) {
    size_t align = (size_t)1 << (20 + i);
    block[i] = omp_aligned_alloc(align, 2 * page, a);
    CHECK(block[i] && (uintptr_t)block[i] % align == 0);
    memset(block[i], i, 2 * page);
  }
  for (int i = 0; i < 4; i++)
    omp_free(block[i], a);
  return 0;
}

static int refused(void) {
  limit_locks(0);
  if (can_lock()) { /* sanitizers */
    fprintf(stderr,
            "nanogomp: cannot pin 0 bytes: test; the allocator's fallback\nall as wanted\n");
    return 0;
  }
  omp_allocator_handle_t none = make(omp_atv_null_fb, 1), any = make(omp_atv_default_mem_fb, 64);
  CHECK(none && any);
  CHECK(!omp_alloc(100, none) && !omp_alloc(100, PINNED_ALLOC));
  CHECK(!omp_calloc(1, 100, PINNED_ALLOC));
  char *p = omp_alloc(100, any);
  CHECK(p && (uintptr_t)p % 64 == 0);
  memset(p, 4, 100);
  CHECK(!omp_realloc(p, 200, none, any));
  CHECK_EQ(p[99], 4);
  omp_free(p, any);
  fprintf(stderr, "all as wanted\n");
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "refused") == 0)
    return refused();
  if (argc > 1 && strcmp(argv[1], "few") == 0)
    return few();
  if (!can_lock())
    return 0;
  static const omp_uintptr_t alignments[] = {1, 64, 4096, 65536};
  for (int i = 0; i < 4; i++) {
    omp_allocator_handle_t a = make(omp_atv_null_fb, alignments[i]);
    lives(a, alignments[i]);
    omp_destroy_allocator(a);
  }
  lives(PINNED_ALLOC, 16);
  return 0;
}
