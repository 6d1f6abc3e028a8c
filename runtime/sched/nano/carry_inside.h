/* carry_inside.h - what carry.c and carry_thread.c share
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_SCHED_CARRY_INSIDE_H
#define NTH_SCHED_CARRY_INSIDE_H

#include "runtime/sched/nano/carrier.h"
#include "runtime/sched/nano/carry.h"
#include "runtime/sched/nano/handlers.h"

/* The caller, which runs `me`, switches to next; `after` is then called with me. */
void nth_carry_go(struct nth_identity *me, struct nth_identity *next,
                  void (*after)(struct nth_identity *));
/* The first step of an OS thread after each switch: calls `after` for the identity that it has
 * left. */
void nth_carry_arrived(struct nth_carrier *c);
/* As `after`: nothing is done with x. */
void nth_carry_stay_out(struct nth_identity *x);

/* Notes what me waits for. word NULL: nothing; until 0: no time limit; also NULL: no flag. */
static inline void nth_carry_wait_for(struct nth_identity *me, _Atomic(uint32_t) *word,
                                      uint32_t value, uint64_t until, _Atomic(bool) *also) {
  me->word = word;
  me->value = value;
  me->until = until;
  me->also = also;
}

/* As nth_carry_ready() of each of several that ran on c last, linked by next. */
void nth_carry_put_each(struct nth_carrier *c, struct nth_identity *first);

/* me is at a safe point, and fewer processors are asked for: c, which runs me, goes away if it is
 * beyond the request. True: it was, and me goes on where `after` has put it. */
bool nth_carry_go_away(struct nth_carrier *c, struct nth_identity *me,
                       void (*after)(struct nth_identity *));

/* What an OS thread at rest blocks: all signals but two kinds. The handler of number 33, by which
 * glibc's setuid() and its kin reach each thread, wants the OS thread's own TLS, which is in force
 * at rest; it changes nothing that an identity uses. Faults may be those of a guest, which may go
 * on under the mask. */
#define NTH_CARRY_MASK (~(NTH_SIGNAL_BIT(33) | NTH_SIGNALS_OF_FAULTS))
/* Blocks these until the carrier runs an identity again. */
void nth_carry_mask(struct nth_carrier *c);

#endif
