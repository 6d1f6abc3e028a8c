/* block.c - a piece of memory that an allocator gave to the program, with its header
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/block.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/config.h"
#include "runtime/place/pages.h"

#define HEADER sizeof(struct nth_block)

/* I1; what the functions below call align is at least this. */
static size_t real_align(size_t asked) {
  return asked > HEADER ? asked : HEADER;
}

/* --- whole pages --- */

static size_t pages_offset(size_t align) {
  size_t page = nth_pages_size();
  return align < page ? align : page;
}

static size_t pages_length(size_t align, size_t size) {
  size_t page = nth_pages_size();
  return (pages_offset(align) + size + page - 1) & ~(page - 1);
}

/* Beyond a page's alignment more is mapped and what is too much given back. */
static void *pages_make(size_t align, size_t size, const struct nth_pages_how *how) {
  size_t page = nth_pages_size(), length = pages_length(align, size);
  if (align <= page) {
    char *start = nth_pages_map(length, how);
    return start ? start + align : 0;
  }
  char *start = nth_pages_map(length + align, how);
  if (!start)
    return 0;
  char *p = (char *)(((uintptr_t)start + page + align - 1) & ~(uintptr_t)(align - 1));
  char *first = p - page, *end = first + length, *mapped_end = start + length + align;
  if (first > start)
    nth_pages_unmap(start, (size_t)(first - start));
  if (mapped_end > end)
    nth_pages_unmap(end, (size_t)(mapped_end - end));
  return p;
}

static void pages_end(void *p, size_t align, size_t size) {
  nth_pages_unmap((char *)p - pages_offset(align), pages_length(align, size));
}

/* --- heap --- */

static void *heap_make(size_t align, size_t size, bool zero) {
  char *start;
  if (nth_likely(align == HEADER)) {
    start = zero ? calloc(1, size + HEADER) : malloc(size + HEADER);
    return start ? start + HEADER : 0;
  }
  void *aligned;
  if (posix_memalign(&aligned, align, align + size) != 0)
    return 0;
  start = aligned;
  if (zero)
    memset(start + align, 0, size);
  return start + align;
}

/* --- both --- */

void *nth_block_make(const struct nth_block_want *want, const struct nth_pages_how *pages,
                     uintptr_t owner, bool charged) {
  static const struct nth_pages_how ordinary = {NTH_PARTITION_ENVIRONMENT, false, false};
  size_t align = real_align(want->align);
  nth_assert(want->size > 0 && want->size < NTH_BLOCK_LIMIT && (align & (align - 1)) == 0);
  /* fresh pages are zero and are touched first by who uses them */
  if (!pages && want->zero && align > HEADER && want->size >= NTH_ZERO_PAGES_FROM)
    pages = &ordinary;
  void *p = pages ? pages_make(align, want->size, pages) : heap_make(align, want->size, want->zero);
  if (nth_unlikely(!p))
    return 0;
  uint64_t log2 = (uint64_t)__builtin_ctzll(want->align);
  *nth_block_of(p) = (struct nth_block){
      owner, want->size | log2 << NTH_BLOCK_SIZE_BITS | (pages ? NTH_BLOCK_PAGES : 0) |
                 (charged ? NTH_BLOCK_CHARGED : 0)};
  return p;
}

static void set_size(struct nth_block *b, size_t size) {
  b->shape = (b->shape & ~(uint64_t)(NTH_BLOCK_LIMIT - 1)) | size;
}

/* Where it is already, or where the heap puts it; NULL: a new block has to be made. */
static void *resize_same(void *p, size_t size) {
  struct nth_block *b = nth_block_of(p);
  size_t align = real_align(nth_block_align(b));
  if (b->shape & NTH_BLOCK_PAGES) {
    if (pages_length(align, size) != pages_length(align, nth_block_size(b)))
      return 0;
  } else {
    if (align > HEADER)
      return 0;
    b = realloc(b, size + HEADER);
    if (!b)
      return 0;
  }
  set_size(b, size);
  return b + 1;
}

void *nth_block_resize(void *p, size_t size, const struct nth_pages_how *pages) {
  void *same = resize_same(p, size);
  if (same)
    return same;
  const struct nth_block *b = nth_block_of(p);
  struct nth_block_want want = {size, nth_block_align(b), false};
  void *other = nth_block_make(&want, pages, b->owner, (b->shape & NTH_BLOCK_CHARGED) != 0);
  if (!other)
    return 0;
  memcpy(other, p, size < nth_block_size(b) ? size : nth_block_size(b));
  nth_block_end(p);
  return other;
}

void nth_block_end(void *p) {
  struct nth_block *b = nth_block_of(p);
  size_t align = real_align(nth_block_align(b));
  if (nth_unlikely((b->shape & NTH_BLOCK_PAGES) != 0))
    pages_end(p, align, nth_block_size(b));
  else
    free((char *)p - align);
}
