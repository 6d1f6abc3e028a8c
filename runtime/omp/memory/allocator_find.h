/* allocator_find.h - from a handle to its allocator
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For allocator.c and memory.c.
 */
#ifndef NTH_OMP_ALLOCATOR_FIND_H
#define NTH_OMP_ALLOCATOR_FIND_H

#include "runtime/omp/memory/allocator.h"

/* Handles up to here are numbers: the kernel maps nothing at such addresses. */
#define NTH_ALLOCATOR_LAST 4095

/* Where libgomp's own allocators stand among the predefined ones. */
#define NTH_ALLOCATOR_AT_PINNED (NTH_ALLOCATOR_THREAD + 1)
#define NTH_ALLOCATOR_AT_MANAGED (NTH_ALLOCATOR_THREAD + 2)

/* The predefined ones; they have no pool, so nobody writes to them. */
extern const struct nth_allocator nth_allocators[NTH_ALLOCATOR_THREAD + 3];

/* One that a program made. */
static inline struct nth_allocator *nth_allocator_own(uintptr_t handle) {
  return (struct nth_allocator *)handle;
}

/* A number that is none's is taken as the default allocator's. */
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
