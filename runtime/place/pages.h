/* pages.h - memory in whole pages that lies on chosen nodes or cannot be paged out
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         What the traits partition and pinned of an allocator and the high-bandwidth memory
 *             space ask for goes by pages: mmap, then mbind (no libnuma: three constants and a
 *             system call) and mlock.
 * Use         A place that cannot be had is a preference: the memory is ordinary then, as the
 *             kernel may also give another node's when one is full. Pinning is a promise: without
 *             it there is no memory.
 * Cost        a system call or two for each piece: for pieces of many pages
 * Tested by   tests/unit/memory.c, tests/lit/alloc/pinned.c, partition.c
 */
#ifndef NTH_PLACE_PAGES_H
#define NTH_PLACE_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/* omp_alloctrait_value_t, values of the trait partition. */
enum nth_partition {
  NTH_PARTITION_ENVIRONMENT = 15, /* the operating system's choice */
  NTH_PARTITION_NEAREST = 16,     /* the node of the thread that asks */
  NTH_PARTITION_BLOCKED = 17,     /* equal parts, one a node */
  NTH_PARTITION_INTERLEAVED = 18  /* page by page over the nodes */
};

struct nth_pages_how {
  enum nth_partition partition;
  bool high_bandwidth;
  bool pinned;
};

/* Whether this machine makes a difference between such memory and any other. */
bool nth_pages_wanted(const struct nth_pages_how *how);

/* size zeroed bytes (a multiple of nth_pages_size()) at a page boundary, or NULL. */
void *nth_pages_map(size_t size, const struct nth_pages_how *how);
void nth_pages_unmap(void *start, size_t size);

/* Bytes of a page. */
size_t nth_pages_size(void);

#endif
