/* near.h - the runtime's own objects on the memory node of the thread that uses them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A page lies on the node of the thread that writes it first. A member, its slot and
 *             its worker are made by the master, so that a new thread needs no heap; but it is the
 *             member that reads and writes them.
 * Use         A member that is bound to its place calls nth_near_take() for its objects, once or a
 *             few times (NTH_NEAR_TAKES). Threads that are not bound have no node of their own.
 *             An object of less than a page asks nth_near_size() what to take from the heap.
 * Cost        On a machine with one node: one system call a process, in the first bound region.
 *             With several: two system calls, and the copying of the pages
 * Tested by   tests/lit/affinity/near_pages.c; on real nodes by tools/on-nodes
 */
#ifndef NTH_PLACE_NEAR_H
#define NTH_PLACE_NEAR_H

#include <stdbool.h>
#include <stddef.h>

/* How often a member takes its objects to its node. Where regions are bound in different ways by
 * turns, members move at each: copying pages each time would cost more than distance does. */
#define NTH_NEAR_TAKES 4u

/* Whether this process may use memory of several nodes. The first call asks the system. */
bool nth_near_wanted(void);

/* What to take from the heap for an object of so many bytes, so that few others share its page: a
 * page, once it is known that there are several nodes. */
size_t nth_near_size(size_t size);

/* Moves these pages to the node of the calling thread's CPU: the one in which the object begins,
 * and those that it fills. What has no memory yet gets it from its first writer, as always. Any
 * thread may use the object meanwhile. A refusal changes nothing but the distance. */
void nth_near_take(const void *object, size_t size);

#endif
