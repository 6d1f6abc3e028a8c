/* depend_table.h - what a task's children access
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         To find a new child's predecessors. For each address the table has two groups of
 *             children: `now`, the latest, who access it in one way, and `before`, the group that
 *             was there until then. in, inoutset and mutexinoutset children join a group of their
 *             kind and depend on each of `before`; else the child begins a new group, and depends
 *             on each of the one it replaces. out is never joined. An access to all memory depends
 *             on every `now` and replaces the whole table.
 * Ownership   the parent's thread, which alone makes children. No atomics but the children's own.
 *             The memory comes from that thread's pools, and a new table with its first slots and
 *             nodes is one object of them. An implicit task's table stays with its slot (slot.h),
 *             from one region to the next: whoever is the member then owns it.
 * Invariants  I1  a listed child holds one reference (task I3), and counts its nodes itself
 *             I2  finished children may be dropped anywhere, for they block nobody; lists and table
 *                 are swept when they have doubled, so their memory follows the unfinished ones. A
 *                 large table that was emptied is swept early, once: it may have been full of
 *                 finished ones
 *             I3  slots are a power of two, at most 3/4 used; linear probing, address 0 is free
 *             I4  references of children that are dropped are kept until the next settle(): d may
 *                 have noted an edge to such a one, before another of its accesses dropped it
 * Cost        an access: one probe, one list node, no locked operation; sweeps amortised. A table:
 *             one object of the pool, of which NTH_LINE * 12 bytes are zeroed
 * Tested by   tests/unit/depend_table.c, tests/lit/tasks/depend*
 */
#ifndef NTH_OMP_DEPEND_TABLE_H
#define NTH_OMP_DEPEND_TABLE_H

#include "runtime/omp/tasks/depend.h"

/* The table of t, made on first need. */
struct nth_depend_table *nth_depend_table_of(struct nth_task *t);

/* Notes d behind its predecessors for this access (nth_depend_note); if d has a task, lists it as
 * the latest. The task is not known to others yet. */
void nth_depend_table_access(struct nth_depend_table *table, struct nth_depend *d,
                             const struct nth_access *a);

/* The same for each item of the compiler's array. */
void nth_depend_table_access_all(struct nth_depend_table *table, struct nth_depend *d,
                                 void **depend);

/* After the edges that d noted were linked, or it was found that it needs none (I4). */
void nth_depend_table_settle(struct nth_depend_table *table);

/* Forgets everything. */
void nth_depend_table_clear(struct nth_depend_table *table);
void nth_depend_table_free(struct nth_depend_table *table);

/* How large it has grown. */
uint32_t nth_depend_table_slots(const struct nth_depend_table *table);

/* I3, I4 between accesses: for asserts and tests. */
bool nth_depend_table_valid(const struct nth_depend_table *table);

#endif
