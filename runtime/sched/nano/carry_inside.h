/* carry_inside.h - what carry.c and carry_thread.c share
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_SCHED_CARRY_INSIDE_H
#define NTH_SCHED_CARRY_INSIDE_H

#include "runtime/sched/nano/carrier.h"
#include "runtime/sched/nano/carry.h"

/* The caller, which runs `me`, goes on with next; `after` is done with me then. */
void nth_carry_go(struct nth_identity *me, struct nth_identity *next,
                  void (*after)(struct nth_identity *));
/* What an OS thread does first after each switch. */
void nth_carry_arrived(struct nth_carrier *c);
/* Nothing is done with x. */
void nth_carry_stay_out(struct nth_identity *x);

/* All signals are blocked from here until the carrier runs an identity again. */
void nth_carry_mask(struct nth_carrier *c);

#endif
