/* depend_table.h - the table of what a task's children access
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         It finds a new child's predecessors. For each address the table has two groups of
 *             children: `now`, the latest, which access it in one way, and `before`, the group
 *             before that. An in, inoutset or mutexinoutset child joins a group of its kind, and
 *             depends on each child of `before`. Any other child begins a new group, and depends
 *             on each child of the group that it replaces. An out group is never joined. An access
 *             to all memory depends on every `now`, and replaces the whole table.
 * Ownership   The parent's thread, which alone makes children, owns the table. It has no atomics
 *             but the children's own. Its memory comes from that thread's pools; a new table with
 *             its first slots and nodes is one object of them. An implicit task's table stays with
 *             its slot (slot.h) from one region to the next, and belongs to the member that has
 *             the slot.
 * Invariants  I1  a listed child holds one reference (task I3), and counts its nodes itself
 *             I2  finished children block nobody, so they may be dropped anywhere. Lists and table
 *                 are swept when they have doubled, so their memory follows the number of
 *                 unfinished children. A large table that was emptied is swept early, once: it may
 *                 have been full of finished children
 *             I3  the number of slots is a power of two, at most 3/4 of them are used; linear
 *                 probing; address 0 is a free slot. A null pointer in a clause that does not
 *                 mean all memory stands as UINTPTR_MAX
 *             I4  references of dropped children are kept until the next settle(): d may have
 *                 noted an edge to a child which another access of d dropped later
 * Cost        an access: one probe, one list node, no locked operation; sweeps amortised. A table:
 *             one object of the pool, of which NTH_LINE * 12 bytes are zeroed
 * Tested by   tests/unit/depend_table.c, tests/lit/tasks/depend*
 */
#ifndef NTH_OMP_DEPEND_TABLE_H
#define NTH_OMP_DEPEND_TABLE_H

#include "runtime/omp/tasks/depend.h"

/* The table of t, made on first need. */
struct nth_depend_table *nth_depend_table_of(struct nth_task *t);

/* For one access of d: notes its predecessors (nth_depend_note), and, if d has a task, lists it as
 * the latest child. The task is not known to other threads yet. */
void nth_depend_table_access(struct nth_depend_table *table, struct nth_depend *d,
                             const struct nth_access *a);

/* nth_depend_table_access_all: nth_depend_table_access for each item of the compiler's array. */
void nth_depend_table_access_all(struct nth_depend_table *table, struct nth_depend *d,
                                 void **depend);

/* Ends the accesses of d: its edges were linked, or it needs none (I4). */
void nth_depend_table_settle(struct nth_depend_table *table);

/* Forgets everything. */
void nth_depend_table_clear(struct nth_depend_table *table);
void nth_depend_table_free(struct nth_depend_table *table);

/* Until the table is cleared at the latest, the parent is alone and runs its children as it makes
 * them. */
void nth_depend_table_set_alone(struct nth_depend_table *table, bool alone);
bool nth_depend_table_alone(const struct nth_depend_table *table);

/* The number of slots. */
uint32_t nth_depend_table_slots(const struct nth_depend_table *table);

/* I3 and I4, between accesses: for asserts and tests. */
bool nth_depend_table_valid(const struct nth_depend_table *table);

#endif
