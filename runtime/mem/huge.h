/* huge.h - large pages for stacks and pools, where the user asks for them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A program that uses megabytes of each stack, or makes a million tasks, meets a page
 *             fault each 4 KiB. A large page is one fault for 2 MiB, and one entry of the CPU's
 *             table of pages. But most stacks use 8 KiB of theirs, and would have 2 MiB of memory.
 *             So they are for NTH_HUGE_PAGES=on only
 * Use         nth_huge() for memory that was just mapped; nth_huge_stack() by a new OS thread. A
 *             hint: the system may have none, or be told not to give any
 * Cost        a system call for each mapping of 2 MiB and more; without the setting, a load
 * Tested by   tests/unit/heap.c, tests/lit/process/huge_pages.c
 */
#ifndef NTH_MEM_HUGE_H
#define NTH_MEM_HUGE_H

#include <stdbool.h>
#include <stddef.h>

/* Large pages were asked for. w: when the library is loaded */
extern bool nth_huge_pages;

/* Asks for large pages for this memory, if the user did and one fits. errno stays. */
void nth_huge(void *at, size_t bytes);
/* The same for the calling thread's stack, of so many bytes. */
void nth_huge_stack(size_t bytes);

#endif
