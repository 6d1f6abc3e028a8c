/* allocator.h - memory allocators: traits, pools, fallbacks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, chapter 6: an allocator is a memory space with traits. A handle is the
 *             number of a predefined allocator or the address of a struct nth_allocator.
 * Use         nth_allocator_make() and _destroy(); nth_memory_take(), _resize() and _give_back()
 *             serve omp_alloc and its kin, and the allocate clause and directive.
 * Spaces      High-bandwidth memory is used if the machine has it. Otherwise, and for the other
 *             spaces, memory is ordinary, as in libgomp 16. The implementation defines what a space
 *             stands for (section 6.1), so ordinary memory is not a case for the fallback trait.
 *             sync_hint and access change nothing: every thread may use every block.
 * Fallback    After allocator_fb the next allocator is that of fb_data. After default_mem_fb it is
 *             omp_default_mem_alloc, whose own fallback is null_fb. Each allocator of a chain keeps
 *             the alignment of those before it. A chain ends after NTH_FALLBACKS allocators, since
 *             the handle of a destroyed allocator may have been given again and close a circle.
 * Pool        As in libgomp, each block counts in `used` with its size, NTH_POOL_OVERHEAD and the
 *             alignment beyond 8. A compare-and-swap raises `used` only if it stays within the
 *             pool.
 * Destroy     An allocator with blocks in its pool lives on until the last of them is given back.
 *             Once the top bit of `used` is set the allocator gives no memory.
 * Invariants  I1  used without NTH_ALLOCATOR_DESTROYED is the sum of its charged blocks' charges
 *             I2  used <= pool_size, unless the allocator is destroyed
 * Orders      A   a block given back -> the end of a destroyed allocator
 * Cost        without a pool: no shared write
 * Tested by   tests/lit/alloc, tests/unit/memory.c
 */
#ifndef NTH_OMP_ALLOCATOR_H
#define NTH_OMP_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/config.h"
#include "runtime/place/cpus/pages.h"

/* Numbers as programs see them; abi/omp_types.h has the same numbers. */
enum {
  NTH_SPACE_DEFAULT = 0,
  NTH_SPACE_LARGE_CAP = 1,
  NTH_SPACE_CONST = 2,
  NTH_SPACE_HIGH_BW = 3,
  NTH_SPACE_LOW_LAT = 4,
  NTH_SPACE_MANAGED = 200
};

enum {
  NTH_ALLOCATOR_NULL = 0,
  NTH_ALLOCATOR_DEFAULT = 1,
  NTH_ALLOCATOR_HIGH_BW = 4,
  NTH_ALLOCATOR_THREAD = 8,
  NTH_ALLOCATOR_PINNED = 200,
  NTH_ALLOCATOR_MANAGED = 201
};

enum {
  NTH_TRAIT_SYNC_HINT = 1,
  NTH_TRAIT_ALIGNMENT = 2,
  NTH_TRAIT_ACCESS = 3,
  NTH_TRAIT_POOL_SIZE = 4,
  NTH_TRAIT_FALLBACK = 5,
  NTH_TRAIT_FB_DATA = 6,
  NTH_TRAIT_PINNED = 7,
  NTH_TRAIT_PARTITION = 8
};
#define NTH_TRAIT_DEFAULT UINT64_MAX /* the value omp_atv_default */

enum {
  NTH_FALLBACK_DEFAULT_MEM = 11,
  NTH_FALLBACK_NULL = 12,
  NTH_FALLBACK_ABORT = 13,
  NTH_FALLBACK_ALLOCATOR = 14
};

#define NTH_ALLOCATOR_DESTROYED (UINT64_C(1) << 63)
#define NTH_POOL_NONE UINT64_MAX

struct nth_allocator {
  /* all but `used`: w: nth_allocator_make(); r: all */
  uint64_t pool_size; /* bytes, NTH_POOL_NONE: no pool */
  size_t alignment;   /* a power of two */
  uintptr_t fb_data;  /* handle; NTH_ALLOCATOR_NULL: none */
  uint8_t space;      /* NTH_SPACE_ */
  uint8_t fallback;   /* NTH_FALLBACK_ */
  struct nth_pages_how pages;
  char apart[NTH_LINE];
  _Atomic(uint64_t) used; /* bytes of the pool; w, r: threads that take and give back; A */
};

/* A trait, as in omp_alloctrait_t. */
struct nth_trait {
  int32_t key;
  uint64_t value;
};

/* Makes an allocator. Returns its handle, or NTH_ALLOCATOR_NULL: no such space, trait or value, or
 * no memory. Of traits with the same key the last one counts. count <= 0: no traits. */
uintptr_t nth_allocator_make(uint64_t space, int64_t count, const struct nth_trait *traits);

/* Does nothing to predefined allocators and NTH_ALLOCATOR_NULL. */
void nth_allocator_destroy(uintptr_t handle);

/* Memory of size bytes, or NULL; size 0 gives NULL. align 0: for any object; an align that is no
 * power of two becomes the next one. handle NTH_ALLOCATOR_NULL: the current task's default
 * allocator. *fatal becomes true if there is no memory and a fallback trait says that the program
 * ends then. */
void *nth_memory_take(size_t size, size_t align, uintptr_t handle, bool zero, bool *fatal);

/* omp_realloc. handle NTH_ALLOCATOR_NULL: the block's own allocator. If it returns NULL, old is as
 * it was, except with size 0, which gives old back. */
void *nth_memory_resize(void *old, size_t size, uintptr_t handle, bool *fatal);

/* Gives a block back to its allocator, which stands in the block's header. NULL: does nothing. */
void nth_memory_give_back(void *p);

#endif
