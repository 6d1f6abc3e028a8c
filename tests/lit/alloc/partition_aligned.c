/* partition_aligned.c - placed blocks with an alignment beyond a page */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each half of such a block is placed on its own node: the test takes the calls of
// mbind in place of the kernel. More memory than the block is mapped, to find an aligned address
// in it, and none of that may count.
// nanogomp-only: it reads the test's tree and counts the library's calls.
// REQUIRES: nanogomp, base
// RUN: %omp_build %s -rdynamic -o %t
// RUN: rm -rf %t.sys && mkdir -p %t.sys/sys/devices/system/node
// RUN: echo 0-1 > %t.sys/sys/devices/system/node/has_memory
// RUN: env NTH_TEST_SYS_ROOT=%t.sys %omp_run %t
#include "syscalls.h"

#include "check.h"

enum { MOST = 16 };
static struct {
  uintptr_t start, length, node;
} placed[MOST];
static int count;

/* Notes the calls of mbind, and passes all others on. */
static long syscalls_take(long number, const long a[SYSCALLS_ARGS]) {
  if (number == SYS_mbind) {
    if (count < MOST) {
      placed[count].start = (uintptr_t)a[0];
      placed[count].length = (uintptr_t)a[1];
      placed[count].node = (uintptr_t)__builtin_ctzl(*(const unsigned long *)a[3]);
    }
    count++;
    return 0;
  }
  return syscalls_pass(number, a);
}

static void is_halved(size_t align, size_t size) {
  omp_alloctrait_t traits[] = {{omp_atk_partition, omp_atv_blocked},
                               {omp_atk_alignment, (omp_alloctrait_value_t)align}};
  omp_allocator_handle_t a = omp_init_allocator(omp_default_mem_space, 2, traits);
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  count = 0;
  char *p = omp_alloc(size, a);
  CHECK(p && (uintptr_t)p % align == 0);
  CHECK_EQ(count, 2);
  CHECK_EQ(placed[0].node, 0);
  CHECK_EQ(placed[1].node, 1);
  CHECK_EQ(placed[0].start + placed[0].length, placed[1].start);
  /* the header lies in the page before the block */
  CHECK_EQ(placed[0].start, (uintptr_t)p - (align < page ? align : page));
  CHECK(placed[1].start + placed[1].length >= (uintptr_t)p + size);
  CHECK(placed[1].start + placed[1].length < (uintptr_t)p + size + page);
  CHECK(placed[0].length - placed[1].length <= page);
  memset(p, 1, size);
  omp_free(p, a);
  omp_destroy_allocator(a);
}

int main(void) {
  for (size_t align = 16; align <= (size_t)16 << 20; align *= 4)
    is_halved(align, (size_t)4 << 20);
  return 0;
}
