/* price.h - into how many tasks a taskloop is cut whose program does not say: from what it cost
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 12.6: without grainsize and num_tasks the number is ours. As many
 *             as the team has members is wrong twice: of uneven iterations the longest task
 *             decides, and to share a loop of some us may take longer than to run it, for tasks
 *             and data move between caches. How the loop did the last times tells both.
 * Use         nth_price_parts() before the loop, nth_price_learn() after it
 * Division    Not known: as many tasks as members. A short loop (NTH_PRICE_SHORT_NS) is tried both
 *             as one task, which its maker runs, and shared; then the form goes on that took less
 *             time, and the other one is tried again every NTH_PRICE_AGAIN_NS. All others: tasks of
 *             NTH_PRICE_PART_NS, at least as many as members, at most NTH_PRICE_PARTS for each.
 * Learned     a construct, by its function, and form: the mean of what was known and the last time.
 *             A word is written only when it changes by an eighth, so that many members may read it
 * Invariants  I1  any mixture of two constructs' words is a price: a wrong one costs time only, and
 *                 is forgotten after some loops
 * Orders      none: each word stands alone
 * Cost        two looks at the clock a loop, some 50 ns; a line that is read
 * Tested by   tests/unit/price.c, tests/lit/tasks/taskloop_price.c
 */
#ifndef NTH_OMP_PRICE_H
#define NTH_OMP_PRICE_H

#include <stdint.h>

#include "runtime/struct/fn_word.h"

/* A construct's row in a table of prices, by its function. Constructs that share a row forget each
 * other. */
enum { NTH_PRICE_ROW_BITS = 6, NTH_PRICE_ROWS = 1 << NTH_PRICE_ROW_BITS };
static inline uint32_t nth_price_row(uintptr_t fn) { return nth_fn_row(fn, NTH_PRICE_ROWS); }

/* The number of tasks, 1 to iterations, of a loop of fn's that a team of so many members begins
 * now, ns. */
uint64_t nth_price_parts(void (*fn)(void *), uint64_t iterations, uint32_t members, uint64_t now);

/* A loop of fn's took so many ns, in so many tasks. */
void nth_price_learn(void (*fn)(void *), uint64_t iterations, uint64_t parts, uint64_t ns);

#endif
