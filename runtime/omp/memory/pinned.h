/* pinned.h - small pieces of pinned memory, many in a page
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Memory is pinned page by page, and the system allows few pinned pages (ulimit -l). So
 *             blocks of a few bytes must share a page.
 * Use         take -> give_back with the same pointer and sizes. A page has NTH_PINNED_PARTS equal
 *             parts; the first ones hold its struct. A piece is a run of parts, found by a search
 *             through the first pages of a list. The last piece given back unmaps its page.
 * Invariants  I1  a part's bit in `taken` is set while the struct or a piece lies in it
 *             I2  every page of this process with a piece in it is in the list
 * Orders      One lock. In a child of fork() the pages are no longer pinned, and another thread may
 *             have been changing the list. So the child begins a new list and leaves the old pages
 *             alone.
 * Cost        a lock and a search through at most NTH_PINNED_LOOK pages; sometimes three system
 *             calls
 * Tested by   tests/lit/alloc/pinned_small.c
 */
#ifndef NTH_OMP_PINNED_H
#define NTH_OMP_PINNED_H

#include <stdbool.h>
#include <stddef.h>

/* A piece of head bytes (a power of two, at most 16), then size bytes at a multiple of align (a
 * power of two, at least head); not zeroed. Returns the address of the size bytes; NULL: they are
 * too many, or no page can be pinned. */
void *nth_pinned_take(size_t head, size_t size, size_t align);

/* Whether a piece of size bytes has room for `other` bytes and no more parts than these need. */
bool nth_pinned_same(const void *p, size_t size, size_t other);

void nth_pinned_give_back(void *p, size_t head, size_t size);

/* In the child of a fork(). */
void nth_pinned_forked(void);

#endif
