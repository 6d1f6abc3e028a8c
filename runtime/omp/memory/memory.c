/* memory.c - memory from allocators: pools and fallbacks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/mem/heap.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/memory/allocation.h"
#include "runtime/omp/memory/allocator_find.h"

/* --- pools --- */

/* How many bytes a block counts in a pool. size and align are below NTH_ALLOCATION_LIMIT. */
static uint64_t charge_of(size_t size, size_t align) {
  return NTH_POOL_OVERHEAD + size + (align > 8 ? align - 8 : 0);
}

/* Charges bytes to a pool; false: they do not fit. The top bit of a destroyed allocator's `used`
 * makes it larger than any pool. */
static bool pool_take(struct nth_allocator *a, uint64_t bytes) {
  uint64_t used = nth_load_rlx(&a->used);
  do {
    if (bytes > a->pool_size || used > a->pool_size - bytes)
      return false;
  } while (!nth_cas_rlx(&a->used, &used, used + bytes));
  return true;
}

/* Takes a charge back. The last block of a destroyed allocator ends the allocator. */
static void pool_give_back(struct nth_allocator *a, uint64_t bytes) {
  if (nth_sub_acqrel(&a->used, bytes) == (NTH_ALLOCATOR_DESTROYED | bytes)) /* allocator:A */
    nth_heap_free(a);
}

/* --- one allocator --- */

/* Which pages the allocator needs; NULL: the heap will do. */
static const struct nth_pages_how *pages_of(const struct nth_allocator *a) {
  const struct nth_pages_how *how = &a->pages;
  bool any = how->partition == NTH_PARTITION_ENVIRONMENT && !how->high_bandwidth && !how->pinned;
  return nth_likely(any) || !nth_pages_wanted(how) ? 0 : how;
}

static void *take_from(uintptr_t handle, const struct nth_allocator *a, size_t size, size_t align,
                       bool zero) {
  if (nth_likely(a->pool_size == NTH_POOL_NONE))
    return nth_allocation_make(size, align, zero, pages_of(a), handle, false);
  struct nth_allocator *own = nth_allocator_own(handle);
  uint64_t charge = charge_of(size, align);
  if (!pool_take(own, charge))
    return 0;
  void *p = nth_allocation_make(size, align, zero, pages_of(a), handle, true);
  if (!p)
    pool_give_back(own, charge);
  return p;
}

static uint64_t charge_of_allocation(const struct nth_allocation *b, size_t size) {
  return charge_of(size, nth_allocation_align(b));
}

/* Resizes a block within its own allocator. Only the difference is charged to a pool. */
static void *resize_own(void *old, size_t size) {
  const struct nth_allocation head = *nth_allocation_of(old);
  const struct nth_allocator *a = nth_allocator_find(head.owner);
  if (!(head.shape & NTH_ALLOCATION_CHARGED))
    return nth_allocation_resize(old, size, pages_of(a));
  struct nth_allocator *own = nth_allocator_own(head.owner);
  uint64_t before = charge_of_allocation(&head, nth_allocation_size(&head));
  uint64_t after = charge_of_allocation(&head, size);
  if (after > before && !pool_take(own, after - before))
    return 0;
  void *p = nth_allocation_resize(old, size, pages_of(a));
  uint64_t now = p ? after : before, most = after > before ? after : before;
  if (now < most)
    pool_give_back(own, most - now);
  return p;
}

/* --- fallbacks --- */

/* The allocator after one that failed; NTH_ALLOCATOR_NULL: none. */
static uintptr_t next_of(const struct nth_allocator *a, bool *fatal) {
  switch (a->fallback) {
  case NTH_FALLBACK_NULL: return NTH_ALLOCATOR_NULL;
  case NTH_FALLBACK_ABORT: *fatal = true; return NTH_ALLOCATOR_NULL;
  case NTH_FALLBACK_ALLOCATOR:
    return a->fb_data != NTH_ALLOCATOR_NULL ? a->fb_data : NTH_ALLOCATOR_DEFAULT;
  default: return NTH_ALLOCATOR_DEFAULT;
  }
}

/* The smallest power of two that is at least n; 0: there is none. */
static inline size_t power_of_two(size_t n) {
  size_t power = n > 1 ? (size_t)1 << (63 - __builtin_clzll(n)) : 1;
  return power < n ? power << 1 : power;
}

/* For omp_realloc, when the chain comes to the block's own allocator: resizes the block, which may
 * stay where it is, and sets *old to NULL. NULL: the block cannot be kept. */
static void *keep(void **old, size_t size, size_t align, uintptr_t handle) {
  if (!*old || nth_allocation_of(*old)->owner != handle ||
      nth_allocation_align(nth_allocation_of(*old)) < align)
    return 0;
  void *p = resize_own(*old, size);
  if (p)
    *old = 0;
  return p;
}

/* Tries all allocators of the chain, from handle on. align 0: there is no such power of two. old:
 * see keep(). */
static void *take_chain(size_t size, size_t align, uintptr_t handle, bool zero, void **old,
                        bool *fatal) {
  bool possible = size < NTH_ALLOCATION_LIMIT && align != 0;
  for (int turns = 0; handle != NTH_ALLOCATOR_NULL && turns < NTH_FALLBACKS; turns++) {
    const struct nth_allocator *a = nth_allocator_find(handle);
    if (a->alignment > align)
      align = a->alignment;
    void *p = 0;
    if (possible && align < NTH_ALLOCATION_LIMIT) {
      p = keep(old, size, align, handle);
      p = p ? p : take_from(handle, a, size, align, zero);
    }
    if (nth_likely(p != 0))
      return p;
    handle = next_of(a, fatal);
  }
  return 0;
}

/* Whether handle is a predefined allocator of ordinary memory. */
static inline bool is_plain(uintptr_t handle) {
  return handle - 1 < NTH_ALLOCATOR_THREAD && handle != NTH_ALLOCATOR_HIGH_BW;
}

void *nth_memory_take(size_t size, size_t align, uintptr_t handle, bool zero, bool *fatal) {
  if (nth_unlikely(size == 0))
    return 0;
  if (handle == NTH_ALLOCATOR_NULL)
    handle = nth_icv_read()->default_allocator;
  if (nth_likely(is_plain(handle) && align <= 16 && size < NTH_ALLOCATION_LIMIT)) {
    void *p = nth_allocation_heap(size, zero, handle, 0);
    if (nth_likely(p != 0))
      return p;
  }
  void *old = 0;
  return take_chain(size, power_of_two(align), handle, zero, &old, fatal);
}

/* --- giving back, other sizes --- */

void nth_memory_give_back(void *p) {
  if (!p)
    return;
  struct nth_allocation *b = nth_allocation_of(p);
  const struct nth_allocation head = *b;
  if (nth_likely(head.shape < NTH_ALLOCATION_LIMIT)) { /* no mark: nth_allocation_heap() */
    free(b);
    return;
  }
  nth_allocation_end(p);
  if (nth_unlikely((head.shape & NTH_ALLOCATION_CHARGED) != 0))
    pool_give_back(nth_allocator_own(head.owner),
                   charge_of_allocation(&head, nth_allocation_size(&head)));
}

void *nth_memory_resize(void *old, size_t size, uintptr_t handle, bool *fatal) {
  if (!old)
    return nth_memory_take(size, 0, handle, false, fatal);
  if (size == 0) {
    nth_memory_give_back(old);
    return 0;
  }
  struct nth_allocation *b = nth_allocation_of(old);
  size_t had = nth_allocation_size(b);
  if (handle == NTH_ALLOCATOR_NULL)
    handle = b->owner;
  void *p = take_chain(size, nth_allocation_align(b), handle, false, &old, fatal);
  if (p && old) {
    memcpy(p, old, had < size ? had : size);
    nth_memory_give_back(old);
  }
  return p;
}
