/* noted.h - which pointers came from an OpenMP allocator
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A Fortran allocatable may get its memory from the allocators directive or from
 *             ALLOCATE, and whoever deallocates it must know: gfortran -fopenmp-allocators notes
 *             the pointer at the one end and asks at the other.
 * Use         add -> take. A program that notes nothing pays a load for a question.
 * Invariants  I1  a noted pointer stands in its part's table between its hash and the next free
 *                 slot
 *             I2  a table is at most 3/4 full
 * Orders      each part under its lock. The count of all is relaxed: whoever holds a noted pointer
 *             got it through the program from who noted it, and it is in the count until taken.
 * Tested by   tests/unit/memory.c, tests/lit/alloc/noted.c
 */
#ifndef NTH_OMP_NOTED_H
#define NTH_OMP_NOTED_H

#include <stdbool.h>

/* False: no memory. NULL is not noted. */
bool nth_noted_add(void *p);

/* Whether it was noted; from now on it is not. */
bool nth_noted_take(void *p);

#endif
