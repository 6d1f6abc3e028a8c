/* heap.h - memory for the runtime's own objects, apart from the program's
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Teams, members and threads must not lie on the program's malloc heap. A program that
 *             writes past its own block there would destroy them. A thread that allocates there
 *             gets an arena of its own from the C library, 64 MiB of addresses. And memory that is
 *             never freed looks like the program's leak.
 * Memory      The first chunk, of NTH_HEAP_FIRST bytes, lies in the library's data behind its small
 *             variables. The next ones have NTH_HEAP_CHUNK bytes, each mapped between two guard
 *             pages by two system calls (larger ones with large pages: huge.h). Blocks are cut off
 *             a chunk one after the other. A block of more than NTH_HEAP_OWN bytes has a mapping
 *             of its own. Where the system has no room for a chunk, smaller ones are tried
 * Blocks      multiples of NTH_APART bytes. The tag, 16 bytes, ends where the block's object
 *             begins. Up to NTH_HEAP_EXACT units each size has a list of free blocks; above that
 *             there are four sizes for each doubling
 * None left   The system has no memory: a free block of a larger size is used
 * Freed       A block goes to the list of its size. It is not given back to the system, unless it
 *             is larger than NTH_HEAP_KEPT. So a thread that looks too late sees old contents, and
 *             no fault
 * Invariants  I1  a block is in use, or in the list of its class, or not cut off yet
 *             I2  memory that is not cut off yet is zero: only its user writes a fresh block
 * Orders      a list is under its lock, the newest chunk under another one (mutex:A)
 *             K   a known mapping: its address, after its length -> whoever asks for all
 * Fork        A child forgets lists and chunk, since other threads may have been changing them,
 *             before it does anything else of the library's. It may free what its parent has made
 * Cost        a lock, a load and a store each way; also zeroing, of a block that is used again
 * Sanitizers  the address sanitizer is told which blocks are in use; the leak sanitizer looks
 *             through all of them
 * Tested by   tests/unit/heap.c, tests/lit/process/heap_overrun.c, address_space.c
 */
#ifndef NTH_MEM_HEAP_H
#define NTH_MEM_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `size` bytes of zeroed memory at a multiple of NTH_APART; NULL: no memory. */
void *nth_heap_alloc(size_t size);
/* The same for an object that is seldom touched behind its first `used` bytes, but for its last
 * NTH_APART bytes. A fresh one begins where that rest has a whole page: this gets no memory. */
void *nth_heap_alloc_partly(size_t size, size_t used);
/* The same as nth_heap_alloc(), not zeroed. */
void *nth_heap_take(size_t size);
/* Calls `call` with the first 64 mappings that there have been. */
void nth_heap_each(void (*call)(const void *at, size_t bytes));
/* A copy of the text; NULL: no memory. */
char *nth_heap_copy(const char *text);
/* Gives back memory from one of these; p NULL: does nothing. */
void nth_heap_free(void *p);

/* Zeroed memory without which the program cannot go on: waits until there is some. */
void *nth_heap_need(size_t size);
/* There is no memory: says so the first time, when *until is 0, but at most once in
 * NTH_HEAP_WAIT_NS. Returns after 10 ms, since other threads may free some. After NTH_HEAP_WAIT_NS
 * it calls nth_heap_exhausted(). */
void nth_heap_wait(uint64_t *until, size_t size);
/* Ends the program. Set once, when the library is loaded. NULL: the wait never ends. */
extern void (*nth_heap_exhausted)(size_t size);

/* In a forked child, before it takes or frees memory. */
void nth_heap_forked(void);

/* For tests: how many chunks and blocks' own mappings the process has made. */
uint32_t nth_heap_maps(void);

#endif
