/* ended.h - the end of a member, with its thread
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A thread that ends gives back the workers that it held, its stacks and descriptors,
 *             and its own member. That takes every room of omp/, so it is done from above.
 * Use         nth_member_hooks.end: the destructor of the pthread key that each member's thread has
 * Limits      pthread_exit() in a region leaves the team's object: its members still run. A member
 *             to whose tasks events refer stays.
 */
#ifndef NTH_OMP_ENDED_H
#define NTH_OMP_ENDED_H

/* arg: the calling thread's struct nth_member. */
void nth_ended_member(void *arg);

#endif
