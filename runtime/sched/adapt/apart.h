/* apart.h - OS threads that share a CPU though the program has another one part
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The kernel balances threads that run. It leaves two on one CPU for some 10 ms, and
 *             for good if they run by turns, as members do that wait for each other. Then each
 *             waits for a switch in place of a line's way.
 * Use         Each of three calls has its own evidence; all move the calling OS thread only:
 *             nth_apart_tick    a waiter, at its ticks: another waiter was last on this CPU
 *             nth_apart_lost    a held thread that polls: somebody had its CPU, again and again
 *             nth_apart_pass    at a safe point: another thread was here, and the allowance has
 *                               grown within NTH_ALLOWED_GREW_NS
 *             A new thread, which begins on its creator's CPU, is sent off by its creator
 * Ownership   struct nth_apart is its OS thread's alone
 * Invariants  what threads note of a CPU is a hint: nothing but places depends on it. A root's
 *             thread stays: its mask is the program's
 * Orders      the notes are relaxed: they stand for themselves
 * Cost        nth_apart_tick: a line of the CPU's note, shared only by those that share the CPU.
 *             nth_apart_pass: nothing outside that time (permit.c). A move: three system calls
 */
#ifndef NTH_SCHED_APART_H
#define NTH_SCHED_APART_H

#include <stdbool.h>
#include <stdint.h>

/* Times are kept in 32 bits: units of some 65 us. */
#define NTH_APART_SHIFT 16

/* What an OS thread remembers of its moves. */
struct nth_apart {
  uint32_t moved_at; /* when it was last moved, in units of 2^NTH_APART_SHIFT ns; wraps */
  bool movable;      /* a worker's or a held thread's: it may be moved to another CPU of its mask */
  uint8_t lost;      /* how often it lost its CPU lately; nth_apart_lost() */
};

enum nth_apart_found {
  NTH_APART_ALONE,  /* no other waiter has been on this CPU since, */
  NTH_APART_SHARES, /* another one was: most likely the waiter waits for that one, which wants it */
  NTH_APART_MOVED   /* another one was, and the waiter has moved away */
};

/* A waiter is at a tick, at that time. me: of the waiter, not 0. *was: its CPU at the wait's last
 * tick, -1: not known; becomes its CPU now. newborn: it began on its creator's CPU. */
enum nth_apart_found nth_apart_tick(struct nth_apart *a, uint32_t me, int *was, bool newborn,
                                    uint64_t now);

/* An idle thread has lost its CPU to another one while it polled; it has not in a time of polls. */
void nth_apart_lost(struct nth_apart *a, uint64_t now);
void nth_apart_kept(struct nth_apart *a);

/* An OS thread is at a safe point. me: of it, not 0. *moved_at: as above. */
void nth_apart_pass(uint32_t me, bool movable, uint32_t *moved_at);

#endif
