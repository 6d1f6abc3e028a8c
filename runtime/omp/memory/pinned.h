/* pinned.h - small pieces of pinned memory, many in a page
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Memory is pinned page by page and the system allows few such pages (ulimit -l):
 *             blocks of some bytes must not take a page each.
 * Use         take -> give_back with the same pointer and sizes. A page is NTH_PINNED_PARTS equal
 *             parts, the first of which hold its struct; a piece is a run of them, found by a
 *             search in the first pages of a list. The last piece given back unmaps its page.
 * Invariants  I1  a part's bit in `taken` is set while the struct or a piece lies in it
 *             I2  every page of this process with a piece in it is in the list
 * Orders      one lock. A child of fork() has the pages but not their locks, nor may it trust a
 *             list that another thread was changing: it begins a new one and leaves the old pages
 *             alone.
 * Cost        a lock and a search of at most NTH_PINNED_LOOK pages; sometimes three system calls
 * Tested by   tests/lit/alloc/pinned_small.c
 */
#ifndef NTH_OMP_PINNED_H
#define NTH_OMP_PINNED_H

#include <stdbool.h>
#include <stddef.h>

/* head bytes (a power of two, 16 at most), then size bytes at a multiple of align, a power of two
 * at or above head. The address between both; NULL: not small, or no page can be pinned. Not
 * zeroed. */
void *nth_pinned_take(size_t head, size_t size, size_t align);

/* Whether a piece of size bytes may become one of other bytes where it is. */
bool nth_pinned_same(const void *p, size_t size, size_t other);

void nth_pinned_give_back(void *p, size_t head, size_t size);

/* In the child of a fork(). */
void nth_pinned_forked(void);

#endif
