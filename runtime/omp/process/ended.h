/* ended.h - the end of a member, with its thread
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A thread that ends gives back the workers that it held, its stacks and descriptors,
 *             and its own member. These belong to many rooms of omp/, so a room above them does it.
 * Use         nth_member_end_hook: the destructor of the pthread key that each member's thread has;
 *             nth_lend_hooks.end_member: the thread goes on without its member (sched/hold/lend.h)
 * Limits      After pthread_exit() in a region the team's object stays, since its other members
 *             still run. A member stays while an event refers to a task of its own.
 */
#ifndef NTH_OMP_ENDED_H
#define NTH_OMP_ENDED_H

#include <stdbool.h>

/* arg: the calling thread's struct nth_member. */
void nth_ended_member(void *arg);

/* Ends the calling thread's member, if it is outside all constructs, holds no processors, and the
 * runtime has bound no thread to a place. False: the member stays. */
bool nth_ended_early(void);

#endif
