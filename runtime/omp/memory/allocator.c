/* allocator.c - memory allocators: traits and handles
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/memory/allocator.h"

#include "runtime/mem/heap.h"
#include "runtime/omp/memory/allocator_find.h"

#define PLAIN {NTH_PARTITION_ENVIRONMENT, false, false}
#define PREDEFINED(space_, fallback_, ...)                                                         \
  {.pool_size = NTH_POOL_NONE,                                                                     \
   .alignment = 1,                                                                                 \
   .space = (space_),                                                                              \
   .fallback = (fallback_),                                                                        \
   .pages = __VA_ARGS__}
#define OTHERWISE_DEFAULT NTH_FALLBACK_DEFAULT_MEM

/* The predefined allocators of OpenMP 5.2, section 6.2, table 6.3, by number; then libgomp's own
 * two. The last three of OpenMP's have an access trait and may use any space. */
const struct nth_allocator nth_allocators[NTH_ALLOCATOR_THREAD + 3] = {
    [1] = PREDEFINED(NTH_SPACE_DEFAULT, NTH_FALLBACK_NULL, PLAIN),
    [2] = PREDEFINED(NTH_SPACE_LARGE_CAP, OTHERWISE_DEFAULT, PLAIN),
    [3] = PREDEFINED(NTH_SPACE_CONST, OTHERWISE_DEFAULT, PLAIN),
    [4] =
        PREDEFINED(NTH_SPACE_HIGH_BW, OTHERWISE_DEFAULT, {NTH_PARTITION_ENVIRONMENT, true, false}),
    [5] = PREDEFINED(NTH_SPACE_LOW_LAT, OTHERWISE_DEFAULT, PLAIN),
    [6] = PREDEFINED(NTH_SPACE_LOW_LAT, OTHERWISE_DEFAULT, PLAIN),
    [7] = PREDEFINED(NTH_SPACE_LOW_LAT, OTHERWISE_DEFAULT, PLAIN),
    [8] = PREDEFINED(NTH_SPACE_LOW_LAT, OTHERWISE_DEFAULT, PLAIN),
    [NTH_ALLOCATOR_AT_PINNED] =
        PREDEFINED(NTH_SPACE_DEFAULT, NTH_FALLBACK_NULL, {NTH_PARTITION_ENVIRONMENT, false, true}),
    [NTH_ALLOCATOR_AT_MANAGED] = PREDEFINED(NTH_SPACE_MANAGED, NTH_FALLBACK_NULL, PLAIN),
};

static bool space_exists(uint64_t space) {
  return space <= NTH_SPACE_LOW_LAT || space == NTH_SPACE_MANAGED;
}

static bool within(uint64_t value, uint64_t first, uint64_t last) {
  return value >= first && value <= last;
}

/* A trait's default value: 0, except for these. */
static uint64_t default_of(int32_t key) {
  switch (key) {
  case NTH_TRAIT_SYNC_HINT: return 3; /* contended */
  case NTH_TRAIT_ALIGNMENT: return 1;
  case NTH_TRAIT_ACCESS: return 7; /* all */
  case NTH_TRAIT_POOL_SIZE: return NTH_POOL_NONE;
  case NTH_TRAIT_FALLBACK: return NTH_FALLBACK_DEFAULT_MEM;
  case NTH_TRAIT_PARTITION: return NTH_PARTITION_ENVIRONMENT;
  default: return 0;
  }
}

/* Sets a trait. False: there is no such trait or value. */
static bool take_trait(struct nth_allocator *a, int32_t key, uint64_t value) {
  if (value == NTH_TRAIT_DEFAULT)
    value = default_of(key);
  switch (key) {
  case NTH_TRAIT_SYNC_HINT: /* contended .. private */ return within(value, 3, 6);
  case NTH_TRAIT_ACCESS: /* all .. cgroup */ return within(value, 7, 10);
  case NTH_TRAIT_ALIGNMENT: a->alignment = value; return value != 0 && (value & (value - 1)) == 0;
  case NTH_TRAIT_POOL_SIZE: /* a pool that no memory can fill is as good as none */
    a->pool_size = value < NTH_ALLOCATOR_DESTROYED ? value : NTH_POOL_NONE;
    return true;
  case NTH_TRAIT_FALLBACK:
    a->fallback = (uint8_t)value;
    return within(value, NTH_FALLBACK_DEFAULT_MEM, NTH_FALLBACK_ALLOCATOR);
  case NTH_TRAIT_FB_DATA: a->fb_data = value; return true;
  case NTH_TRAIT_PINNED: a->pages.pinned = value != 0; return value <= 1;
  case NTH_TRAIT_PARTITION:
    a->pages.partition = (enum nth_partition)value;
    return within(value, NTH_PARTITION_ENVIRONMENT, NTH_PARTITION_INTERLEAVED);
  default: return false;
  }
}

uintptr_t nth_allocator_make(uint64_t space, int64_t count, const struct nth_trait *traits) {
  struct nth_allocator a =
      PREDEFINED((uint8_t)space, OTHERWISE_DEFAULT,
                 {NTH_PARTITION_ENVIRONMENT, space == NTH_SPACE_HIGH_BW, false});
  if (!space_exists(space))
    return NTH_ALLOCATOR_NULL;
  for (int64_t i = 0; i < count; i++)
    if (!take_trait(&a, traits[i].key, traits[i].value))
      return NTH_ALLOCATOR_NULL;
  struct nth_allocator *made = nth_heap_alloc(sizeof *made);
  if (!made)
    return NTH_ALLOCATOR_NULL;
  *made = a;
  return (uintptr_t)made;
}

void nth_allocator_destroy(uintptr_t handle) {
  if (handle <= NTH_ALLOCATOR_LAST)
    return;
  struct nth_allocator *a = nth_allocator_own(handle);
  if (nth_or_acqrel(&a->used, NTH_ALLOCATOR_DESTROYED) == 0) /* A */
    nth_heap_free(a);
}
