/* apart.h - OS threads that share a CPU part when the allowance has grown
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         While a program has one CPU of two, its OS threads share that one. When the other CPU
 *             is given back, the kernel leaves them there for some 10 ms, and for good if they run
 *             by turns, as members between barriers do.
 * How         For NTH_ALLOWED_GREW_NS after the growth each OS thread notes at its safe points on
 *             which CPU it is. One that finds another's note there moves away. A root's thread
 *             stays: its mask is the program's
 * Invariants  a note is a hint. A note from before the growth says nothing
 * Cost        none outside that time (permit.c)
 */
#ifndef NTH_SCHED_APART_H
#define NTH_SCHED_APART_H

#include <stdbool.h>
#include <stdint.h>

/* An OS thread is at a safe point. id: of it, not 0. *moved_at: when it last moved, ns; w, r: it */
void nth_apart_pass(uint32_t id, bool movable, uint64_t *moved_at);

#endif
