/* pages.h - memory in whole pages that lies on chosen nodes or cannot be paged out
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         An allocator's traits partition and pinned, and the high-bandwidth memory space, need
 *             whole pages: mmap, then mbind and mlock. mbind needs three constants and a system
 *             call, so libnuma is not used.
 * Use         The choice of nodes is a preference: where it cannot be met the memory is ordinary,
 *             as the kernel itself uses another node when one is full. Pinning is a promise:
 *             without it there is no memory.
 * Cost        a system call or two for each piece: meant for pieces of many pages
 * Tested by   tests/unit/memory.c, tests/lit/alloc/pinned.c, partition.c
 */
#ifndef NTH_PLACE_PAGES_H
#define NTH_PLACE_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/* omp_alloctrait_value_t, values of the trait partition. */
enum nth_partition {
  NTH_PARTITION_ENVIRONMENT = 15, /* the operating system's choice */
  NTH_PARTITION_NEAREST = 16,     /* the calling thread's node */
  NTH_PARTITION_BLOCKED = 17,     /* equal parts, one on each node */
  NTH_PARTITION_INTERLEAVED = 18  /* page by page over the nodes */
};

struct nth_pages_how {
  enum nth_partition partition;
  bool high_bandwidth;
  bool pinned;
};

/* Whether such memory differs from ordinary memory on this machine. */
bool nth_pages_wanted(const struct nth_pages_how *how);

/* size zeroed bytes at a page boundary, or NULL. size is a multiple of nth_os_page(). The byte at
 * `offset` lies at a multiple of align, a power of two: offset is align or, if that is larger, a
 * page. */
void *nth_pages_map(size_t size, size_t offset, size_t align, const struct nth_pages_how *how);
void nth_pages_unmap(void *start, size_t size);

#endif
