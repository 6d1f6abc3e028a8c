/* noted.h - which pointers came from an OpenMP allocator
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A Fortran allocatable gets its memory from the allocators directive or from ALLOCATE,
 *             and the code that deallocates it must know from which. So gfortran
 *             -fopenmp-allocators notes the pointer when it is allocated, and asks when it is
 *             freed.
 * Use         add -> take. In a program that notes nothing, take costs one load.
 * Invariants  I1  a noted pointer stands in its part's table between its hash's slot and the next
 *                 free slot
 *             I2  a table is at most 3/4 full
 * Orders      Each part is under its lock. The count of all parts is relaxed: a noted pointer
 *             counts until it is taken, and a thread that has the pointer got it, by way of the
 *             program, from the thread that noted it.
 * Tested by   tests/unit/memory.c, tests/lit/alloc/noted.c
 */
#ifndef NTH_OMP_NOTED_H
#define NTH_OMP_NOTED_H

#include <stdbool.h>

/* Notes a pointer; NULL is not noted. False: no memory. */
bool nth_noted_add(void *p);

/* Whether the pointer was noted; forgets it. */
bool nth_noted_take(void *p);

/* In a forked child: another thread may have been at a part of the table. */
void nth_noted_forked(void);

#endif
