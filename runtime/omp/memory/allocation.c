/* allocation.c - a piece of memory that an allocator gave to the program, with its header
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/memory/allocation.h"

#include <string.h>

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/os.h"
#include "runtime/omp/memory/pinned.h"
#include "runtime/place/cpus/pages.h"

#define HEADER sizeof(struct nth_allocation)

/* The alignment that the functions below work with: at least the header's size. */
static size_t real_align(size_t asked) { return asked > HEADER ? asked : HEADER; }

/* --- whole pages --- */

static size_t pages_offset(size_t align) {
  size_t page = nth_os_page();
  return align < page ? align : page;
}

static size_t pages_length(size_t align, size_t size) {
  return nth_round_up(pages_offset(align) + size, nth_os_page());
}

static void *pages_make(size_t align, size_t size, const struct nth_pages_how *how) {
  size_t offset = pages_offset(align);
  char *start = nth_pages_map(pages_length(align, size), offset, align, how);
  return start ? start + offset : 0;
}

static void pages_end(void *p, size_t align, size_t size) {
  nth_pages_unmap((char *)p - pages_offset(align), pages_length(align, size));
}

/* --- heap --- */

/* Takes more from malloc: room for the header, for the word before it, and to round up to a
 * multiple of align. posix_memalign takes four times as long as malloc. */
static void *heap_make_aligned(size_t align, size_t size, bool zero) {
  size_t all = size + align + HEADER;
  char *start = zero ? calloc(1, all) : malloc(all);
  if (!start)
    return 0;
  uintptr_t least = (uintptr_t)start + HEADER + sizeof(void *);
  char *p = start + (nth_round_up(least, align) - (uintptr_t)start);
  ((void **)(void *)(p - HEADER))[-1] = start;
  return p;
}

static void heap_end(struct nth_allocation *b, size_t align) {
  free(align > HEADER ? ((void **)(void *)b)[-1] : b);
}

/* --- small and pinned --- */

/* A small pinned block; NULL: it needs whole pages. */
static void *small_make(size_t align, size_t size, bool zero, const struct nth_pages_how *how) {
  if (!how->pinned || how->high_bandwidth || how->partition != NTH_PARTITION_ENVIRONMENT)
    return 0;
  void *p = nth_pinned_take(HEADER, size, align);
  return p && zero ? memset(p, 0, size) : p;
}

/* --- all --- */

void *nth_allocation_make(size_t size, size_t align, bool zero, const struct nth_pages_how *pages,
                          uintptr_t owner, bool charged) {
  nth_assert(size > 0 && size < NTH_ALLOCATION_LIMIT && align < NTH_ALLOCATION_LIMIT &&
             (align & (align - 1)) == 0);
  uint64_t mark = (uint64_t)__builtin_ctzll(align) << NTH_ALLOCATION_SIZE_BITS;
  mark |= (charged ? NTH_ALLOCATION_CHARGED : 0);
  if (!pages && align <= HEADER)
    return nth_allocation_heap(size, zero, owner, mark);
  void *p = pages ? small_make(real_align(align), size, zero, pages)
                  : heap_make_aligned(align, size, zero);
  if (pages)
    mark |= p ? NTH_ALLOCATION_SMALL : NTH_ALLOCATION_PAGES;
  if (!p && pages)
    p = pages_make(real_align(align), size, pages);
  if (p)
    *nth_allocation_of(p) = (struct nth_allocation){owner, size | mark};
  return p;
}

static void set_size(struct nth_allocation *b, size_t size) {
  b->shape = (b->shape & ~(uint64_t)(NTH_ALLOCATION_LIMIT - 1)) | size;
}

/* Resizes a block where it is, or by the heap's realloc; NULL: a new block is needed. */
static void *resize_same(void *p, size_t size) {
  struct nth_allocation *b = nth_allocation_of(p);
  size_t align = real_align(nth_allocation_align(b));
  if (b->shape & NTH_ALLOCATION_SMALL) {
    if (!nth_pinned_same(p, nth_allocation_size(b), size))
      return 0;
  } else if (b->shape & NTH_ALLOCATION_PAGES) {
    if (pages_length(align, size) != pages_length(align, nth_allocation_size(b)))
      return 0;
  } else {
    if (align > HEADER)
      return 0;
    struct nth_allocation *moved = realloc(b, size + HEADER);
    if (!moved)
      return 0;
    b = moved;
  }
  set_size(b, size);
  return b + 1;
}

void *nth_allocation_resize(void *p, size_t size, const struct nth_pages_how *pages) {
  void *same = resize_same(p, size);
  if (same)
    return same;
  const struct nth_allocation *b = nth_allocation_of(p);
  void *other = nth_allocation_make(size, nth_allocation_align(b), false, pages, b->owner,
                                    (b->shape & NTH_ALLOCATION_CHARGED) != 0);
  if (!other)
    return 0;
  memcpy(other, p, size < nth_allocation_size(b) ? size : nth_allocation_size(b));
  nth_allocation_end(p);
  return other;
}

void nth_allocation_end(void *p) {
  struct nth_allocation *b = nth_allocation_of(p);
  size_t align = real_align(nth_allocation_align(b));
  if (nth_unlikely((b->shape & NTH_ALLOCATION_SMALL) != 0))
    nth_pinned_give_back(p, HEADER, nth_allocation_size(b));
  else if (nth_unlikely((b->shape & NTH_ALLOCATION_PAGES) != 0))
    pages_end(p, align, nth_allocation_size(b));
  else
    heap_end(b, align);
}
