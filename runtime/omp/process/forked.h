/* forked.h - fork(): the child starts a fresh runtime
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Only the forking thread exists in the child. Its workers, teams and waits are gone.
 *             Regions must work all the same, whether it forked before, after or inside one.
 * How         nth_fork_generation counts the forks survived. The child's handler makes the thread a
 *             team of one at the same level, forgets the holder's workers, and marks the thread's
 *             teams, which get new workers at their next region. A join that began before the fork
 *             sees another generation and waits for no slave. Unfinished tasks stay the parent's,
 *             and nothing in the child waits for them. The thread's number becomes 0: the compiler
 *             divides static loops by number and size, and member k of 1 would be beyond their
 *             ends.
 */
#ifndef NTH_OMP_FORKED_H
#define NTH_OMP_FORKED_H

#include "runtime/omp/types/generation.h"

struct nth_member;

/* In the child: resets the state that m is in, and the states to which it will return. The other
 * members are not there. */
void nth_forked_state(struct nth_member *m);

/* Registers the handler; once, at load, so that it runs before the program's own handlers, which
 * may have regions. */
void nth_forked_watch(void);

#endif
