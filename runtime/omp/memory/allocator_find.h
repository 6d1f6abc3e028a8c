/* allocator_find.h - finds the allocator of a handle
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For allocator.c and memory.c.
 */
#ifndef NTH_OMP_ALLOCATOR_FIND_H
#define NTH_OMP_ALLOCATOR_FIND_H

#include "runtime/omp/memory/allocator.h"

/* Handles up to this one are numbers: the kernel maps nothing at such addresses. */
#define NTH_ALLOCATOR_LAST 4095

/* The indexes of libgomp's own allocators in nth_allocators. */
#define NTH_ALLOCATOR_AT_PINNED (NTH_ALLOCATOR_THREAD + 1)
#define NTH_ALLOCATOR_AT_MANAGED (NTH_ALLOCATOR_THREAD + 2)

/* The predefined allocators; they have no pool, so nothing writes to them. */
extern const struct nth_allocator nth_allocators[NTH_ALLOCATOR_THREAD + 3];

/* An allocator that the program has made. */
static inline struct nth_allocator *nth_allocator_own(uintptr_t handle) {
  return (struct nth_allocator *)handle;
}

/* Any allocator. A number that no allocator has means the default allocator. */
static inline const struct nth_allocator *nth_allocator_find(uintptr_t handle) {
  if (handle > NTH_ALLOCATOR_LAST)
    return nth_allocator_own(handle);
  if (handle == NTH_ALLOCATOR_PINNED)
    return &nth_allocators[NTH_ALLOCATOR_AT_PINNED];
  if (handle == NTH_ALLOCATOR_MANAGED)
    return &nth_allocators[NTH_ALLOCATOR_AT_MANAGED];
  bool known = handle >= NTH_ALLOCATOR_DEFAULT && handle <= NTH_ALLOCATOR_THREAD;
  return &nth_allocators[known ? handle : NTH_ALLOCATOR_DEFAULT];
}

#endif
