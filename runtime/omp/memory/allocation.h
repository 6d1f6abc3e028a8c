/* allocation.h - a piece of memory that an allocator gave to the program, with its header
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         omp_free and omp_realloc get a bare pointer: who gave it, how large it is and how it
 *             is aligned stand in 16 bytes before it, so that malloc's alignment of 16 remains.
 * Use         make, resize, end; owner and charge are the allocator's notes. Blocks come from the
 *             C library's heap or, where it has to be whole pages, from place/pages.h, small
 *             pinned ones from omp/memory/pinned.h.
 * Invariants  I1  where a block begins: 16 bytes before the program's pointer; with an alignment
 *                 beyond 16 in the heap where the word before the header says; pages begin the
 *                 alignment before, at most a page
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

/* w: nth_allocation_; r: whoever has the program's pointer. Not shared: the program orders its
 * uses. */
struct nth_allocation {
  uintptr_t owner; /* omp_allocator_handle_t of the allocator that gave it */
  uint64_t shape;  /* size, log2 of the alignment asked for << 55, NTH_ALLOCATION_SMALL.. */
};
_Static_assert(sizeof(struct nth_allocation) == 16, "keeps malloc's alignment");

#define NTH_ALLOCATION_SMALL (UINT64_C(1) << 61)   /* pinned, a part of a page */
#define NTH_ALLOCATION_PAGES (UINT64_C(1) << 62)   /* whole pages, not from the heap */
#define NTH_ALLOCATION_CHARGED (UINT64_C(1) << 63) /* counted in its owner's pool */

static inline struct nth_allocation *nth_allocation_of(void *p) {
  return (struct nth_allocation *)p - 1;
}

static inline size_t nth_allocation_size(const struct nth_allocation *b) {
  return b->shape & (NTH_ALLOCATION_LIMIT - 1);
}

/* As it was asked for; I1 says what it became. */
static inline size_t nth_allocation_align(const struct nth_allocation *b) {
  return (size_t)1 << (b->shape >> NTH_ALLOCATION_SIZE_BITS & 63);
}

/* From the heap with its alignment of 16, without a look at anything: most blocks are that.
 * mark: the rest of shape. The program's pointer, or NULL. */
static inline void *nth_allocation_heap(size_t size, bool zero, uintptr_t owner, uint64_t mark) {
  size_t all = size + sizeof(struct nth_allocation);
  struct nth_allocation *b = zero ? calloc(1, all) : malloc(all);
  if (!b)
    return 0;
  b->owner = owner;
  b->shape = size | mark;
  return b + 1;
}

/* The program's pointer, or NULL. 0 < size < NTH_ALLOCATION_LIMIT; align a power of two below it;
 * pages NULL: from the heap. Plain arguments, as this is what omp_alloc costs. */
void *nth_allocation_make(size_t size, size_t align, bool zero, const struct nth_pages_how *pages,
                          uintptr_t owner, bool charged);

/* A block of another size with the same alignment, owner and contents as far as they fit, perhaps
 * elsewhere; the old one has ended. NULL: the old one is as it was. */
void *nth_allocation_resize(void *p, size_t size, const struct nth_pages_how *pages);

void nth_allocation_end(void *p);

#endif
