/* follow.h - follows the CPU allowance while regions run
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         taskset, a cpuset or a changed CPU quota takes CPUs from a running program, and gives
 *             them back. Waits look at the mask now and then (allowed.h). But members that compute
 *             for long do not wait, and no wait may open the quota's files.
 * How         One thread of the runtime's own looks every NTH_FOLLOW_NS while more than one OS
 *             thread runs members (permit.h). It exists only in a process with a CPU quota, and in
 *             one whose allowance has changed before. Where no limit is in force, and no more than
 *             one OS thread has run for NTH_FOLLOW_REST_NS, it sleeps without limit. An OS thread
 *             that gets a permit wakes it. It sleeps so too where several run, or may, but the
 *             process has hardly used a CPU for NTH_FOLLOW_UNUSED_NS. Then some have a permit
 *             and wait outside the runtime, and those that ran before permits were counted have
 *             none. All of them wake it when they come by a safe point (nth_permits_meet()):
 *             before that they would not rest anyway. So an idle program is not woken up. The
 *             looker has a table of descriptors of its own, so the program sees no file of it
 * Use         nth_follow_begin() when the first member is made; nth_follow_quota() when a region of
 *             more than one member is prepared
 * Then        permit.c limits the OS threads that run: they rest, or are woken, at safe points.
 *             Families get carriers for CPUs beyond those of their start (nth_watch_grow()). The
 *             next region of each root finds the new number in its config line (team.c: fits())
 * Orders      E   armed: the thread that takes a permit: held, full fence, armed; the looker: armed
 *                 0, full fence, held. So the looker sees the permit or is woken. One at a safe
 *                 point needs no order: it sees the limit and `armed` at one of the next ones
 *             W   word: who wakes the looker -> the looker before it looks at `held`
 * Cost        none before there is a quota or a change
 * Tested by   tests/model/follow, tests/lit/allowance, tools/bench/allow.c
 */
#ifndef NTH_SCHED_FOLLOW_H
#define NTH_SCHED_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/atomic.h"

struct nth_follow {
  _Atomic(bool) runs;      /* there is a looker; w: who starts it, the child of a fork; r: all */
  _Atomic(bool) late;      /* workers ran before permits were counted, and have none until they
                            * sleep: more may run than are known. w: as runs; r: looker */
  _Atomic(uint32_t) armed; /* it looks; w: looker, who wakes it; E */
  _Atomic(uint32_t) word;  /* futex word where it sleeps; w: who wakes it */
};
extern struct nth_follow nth_follow;

/* From now on a change of the allowance is followed. */
void nth_follow_begin(void);
/* Starts the looker if a quota is known. mine: of the calling OS thread, which is counted from now
 * on. */
struct nth_permit;
void nth_follow_quota(struct nth_permit *mine);
void nth_follow_forked(void);

/* The program's last thread with a member ends: the looker may have nobody to serve. */
void nth_follow_rouse(void);

/* An OS thread has got a permit, or comes by a safe point and finds the looker not armed. */
void nth_follow_arm(void);

#endif
