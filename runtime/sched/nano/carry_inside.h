/* carry_inside.h - what carry.c and carry_thread.c share
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_SCHED_CARRY_INSIDE_H
#define NTH_SCHED_CARRY_INSIDE_H

#include "runtime/sched/nano/carrier.h"
#include "runtime/sched/nano/carry.h"

/* The caller, which runs `me`, switches to next; `after` is then called with me. */
void nth_carry_go(struct nth_identity *me, struct nth_identity *next,
                  void (*after)(struct nth_identity *));
/* The first step of an OS thread after each switch: calls `after` for the identity that was left.
 * */
void nth_carry_arrived(struct nth_carrier *c);
/* As `after`: nothing is done with x. */
void nth_carry_stay_out(struct nth_identity *x);

/* Blocks all signals until the carrier runs an identity again. */
void nth_carry_mask(struct nth_carrier *c);

#endif
