/* explain_table.h - what a member has counted, by the program's address
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Use         each member has one table, in which it alone writes; explain_file.py of
 *             tools/nanogomp_lib adds them up
 * Invariants  a row's code is set once, from 0; rows are never taken out. A full table counts what
 *             is new in the last rows, one for each kind, with the address 1
 * Cost        a hash and, mostly, one comparison
 */
#ifndef EXPLAIN_TABLE_H
#define EXPLAIN_TABLE_H

#include <stdatomic.h>
#include <stdint.h>

enum { EXP_ROWS = 512 }; /* places of the program; regions and locks of most programs are fewer */

enum exp_kind { EXP_REGION = 1, EXP_MUTEX = 2, EXP_KINDS = EXP_MUTEX };
enum { EXP_OWN = EXP_ROWS - EXP_KINDS }; /* rows of one place each */

/* Read when the process is gone: relaxed. */
typedef _Atomic(uint64_t) exp_count;

struct exp_row {
  exp_count code; /* the program's address | kind << 56; 0: free */
  exp_count times, ns, member_ns, wait_ns, tasks;
  exp_count work_ns, slept_ns; /* between waits: CPU time; sleep */
  exp_count joins;             /* regions that the member was in */
};

struct exp_table {
  struct exp_row rows[EXP_ROWS];
};

/* The row of a place, made if it is new; exp_file_place() is told of it then. */
struct exp_row *exp_row_of(struct exp_table *t, uint64_t code, enum exp_kind kind);

static inline void exp_add(exp_count *count, uint64_t n) {
  atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) + n,
                        memory_order_relaxed);
}

#endif
