/* allocation.h - a piece of memory that an allocator gave to the program, with its header
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         omp_free and omp_realloc get a bare pointer. Its allocator, size and alignment stand
 *             in the 16 bytes before it: a header of 16 bytes keeps malloc's alignment of 16.
 * Use         make, resize, end; the owner and the charge are notes for the allocator. Blocks come
 *             from the C library's heap. Blocks that need whole pages come from place/cpus/pages.h,
 *             small pinned blocks from omp/memory/pinned.h.
 * Invariants  I1  a block of the heap begins 16 bytes before the program's pointer; if its
 *                 alignment is beyond 16, at the address in the word before the header. A block of
 *                 pages begins one alignment before the pointer, at most one page
 *             I2  size < 2^55: no machine has more memory
 * Cost        heap: malloc and two stores
 * Tested by   tests/unit/memory.c, tests/lit/alloc
 */
#ifndef NTH_OMP_ALLOCATION_H
#define NTH_OMP_ALLOCATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct nth_pages_how;

#define NTH_ALLOCATION_SIZE_BITS 55
#define NTH_ALLOCATION_LIMIT ((size_t)1 << NTH_ALLOCATION_SIZE_BITS)

/* The header. w: nth_allocation_; r: the thread that has the program's pointer. The program orders
 * the uses of its pointer, so nothing here is atomic. */
struct nth_allocation {
  uintptr_t owner; /* omp_allocator_handle_t of the allocator that gave the block */
  uint64_t shape;  /* size | log2 of the alignment asked for << 55 | NTH_ALLOCATION_SMALL.. */
};
_Static_assert(sizeof(struct nth_allocation) == 16, "keeps malloc's alignment");

#define NTH_ALLOCATION_SMALL (UINT64_C(1) << 61)   /* pinned, a piece of a page */
#define NTH_ALLOCATION_PAGES (UINT64_C(1) << 62)   /* whole pages, not from the heap */
#define NTH_ALLOCATION_CHARGED (UINT64_C(1) << 63) /* counted in its owner's pool */

static inline struct nth_allocation *nth_allocation_of(void *p) {
  return (struct nth_allocation *)p - 1;
}

static inline size_t nth_allocation_size(const struct nth_allocation *b) {
  return b->shape & (NTH_ALLOCATION_LIMIT - 1);
}

/* The alignment that was asked for. */
static inline size_t nth_allocation_align(const struct nth_allocation *b) {
  return (size_t)1 << (b->shape >> NTH_ALLOCATION_SIZE_BITS & 63);
}

/* Makes a block from the heap with malloc's alignment, which most blocks have. mark: the bits of
 * shape above the size. Returns the program's pointer, or NULL. */
static inline void *nth_allocation_heap(size_t size, bool zero, uintptr_t owner, uint64_t mark) {
  size_t all = size + sizeof(struct nth_allocation);
  struct nth_allocation *b = zero ? calloc(1, all) : malloc(all);
  if (!b)
    return 0;
  b->owner = owner;
  b->shape = size | mark;
  return b + 1;
}

/* Makes any block, and returns the program's pointer, or NULL. 0 < size < NTH_ALLOCATION_LIMIT;
 * align is a power of two below that limit; pages NULL: from the heap. Plain arguments, since
 * omp_alloc pays for them. */
void *nth_allocation_make(size_t size, size_t align, bool zero, const struct nth_pages_how *pages,
                          uintptr_t owner, bool charged);

/* A block of another size, perhaps at another address, with the old block's alignment, owner and,
 * as far as it fits, contents; the old block has ended. NULL: the old block is as it was. */
void *nth_allocation_resize(void *p, size_t size, const struct nth_pages_how *pages);

void nth_allocation_end(void *p);

#endif
