/* roll.h - the list of all members of the process, for debuggers
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A debugger begins with an OS thread, or with nothing at all, and wants its member. A
 *             member is known by a thread-local word only, which a tool finds with the symbols and
 *             registers that a core file may not have. The roll leads to each member by plain
 *             addresses (ompd/, tools/gdb).
 * Use         nth_roll_expect() when a member is made for another thread, nth_roll_enter() when a
 *             thread becomes a member, nth_roll_leave() when it ends. Each member has a line.
 *             Nothing in the runtime reads the roll
 * Invariants  I1  a line is never freed and stays in the list; it is used again
 *             I2  uses is odd while a member has the line. A use of the line is one value of it, by
 *                 which a debugger sees that a member has ended
 *             I3  thread and pthread are the OS thread's on which the member began; 0: it has not
 *                 begun. A member that carriers run is on the OS thread of its identity's carrier
 *                 instead
 * Orders      R   first: the CAS that adds a line releases -> the look for an unused one acquires:
 *                 `next`. uses: the leaving member's release -> the next one's CAS acquires: the
 *                 fields
 * Cost        at a thread's start and end only: a walk over the lines, a CAS, a system call
 * Tested by   tests/unit/roll.c, tests/lit/ompd
 */
#ifndef NTH_OMP_ROLL_H
#define NTH_OMP_ROLL_H

#include <stdint.h>

#include "runtime/base/atomic.h"

struct nth_member;

/* w: the member that has the line; r: debuggers */
struct nth_roll {
  struct nth_roll *next;               /* the line made before; set once; R */
  _Atomic(uint32_t) uses;              /* I2, R */
  _Atomic(uint32_t) thread;            /* the OS thread's number; I3 */
  _Atomic(uintptr_t) pthread;          /* pthread_self() there */
  _Atomic(struct nth_member *) member; /* NULL: none */
};

extern _Atomic(struct nth_roll *) nth_roll_first; /* the newest line; w: whoever adds one; R */

/* Another thread is going to be m. */
void nth_roll_expect(struct nth_member *m);
/* The calling thread is m from now on. */
void nth_roll_enter(struct nth_member *m);
void nth_roll_leave(struct nth_member *m);
/* In the child of a fork: only the calling thread's member is left, m; NULL: it has none. */
void nth_roll_forked(struct nth_member *m);

#endif
