/* members.h - which members are nano-threads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Members beyond the CPUs that take turns at user level (sched/carry.h) instead of in the kernel.
 *             NTH_MEMBERS: os    each member is an OS thread
 *                          nano  those for which there is no CPU are nano-threads
 *                          auto  os for a team that fits the CPUs, else nano
 * Limits      docs/members.md; where it would not be sound it is refused, with the reason if NTH_VERBOSE=1
 */
#ifndef NTH_OMP_MEMBERS_H
#define NTH_OMP_MEMBERS_H

#include "runtime/omp/team.h"

enum { NTH_MEMBERS_OS, NTH_MEMBERS_NANO, NTH_MEMBERS_AUTO };

/* After the environment has been read. */
void nth_members_begin(void);

/* The family that is to carry new members of t; NULL: they are OS threads. */
struct nth_family *nth_members_family(struct nth_member *m);

/* Whether some of t's members take turns on a CPU. */
bool nth_members_nano(const struct nth_team *t, uint32_t n);

#endif
