/* depend_table.h - what a task's children access
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         To find a new child's predecessors. For each address the table has two groups of
 *             children: `now`, the latest, who access it in one way, and `before`, the group that was
 *             there until then. in, inoutset and mutexinoutset children join a group of their kind
 *             and depend on each of `before`; else the child begins a new group, and depends on each
 *             of the one it replaces. out is never joined. An access to all memory depends on every
 *             `now` and replaces the whole table.
 * Ownership   the parent's thread, which alone makes children. No atomics but the children's own.
 * Invariants  I1  a listed child holds a reference (task I3)
 *             I2  finished children may be dropped anywhere, for they block nobody; lists and table are
 *                 swept when they have doubled, so their memory follows the unfinished ones
 *             I3  slots are a power of two, at most 3/4 used; linear probing, address 0 is free
 * Cost        an access: one probe, one list node; sweeps amortised
 */
#ifndef NTH_OMP_DEPEND_TABLE_H
#define NTH_OMP_DEPEND_TABLE_H

#include "runtime/omp/depend.h"

/* The table of t, made on first need. */
struct nth_depend_table *nth_depend_table_of(struct nth_task *t);

/* Links d behind its predecessors for this access; if d has a task, notes it as the latest. */
void nth_depend_table_access(struct nth_depend_table *table, struct nth_depend *d,
                             const struct nth_access *a);

/* Forgets everything. */
void nth_depend_table_clear(struct nth_depend_table *table);
void nth_depend_table_free(struct nth_depend_table *table);

#endif
