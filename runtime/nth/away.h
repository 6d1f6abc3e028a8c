/* away.h - a processor beyond the request goes away between two nano-threads, and comes back
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Somebody asks the program to use fewer processors (sched/adapt/request.h). From "A
 *             Library Implementation of the Nano-Threads Programming Model" (Euro-Par 1996),
 *             section 4.2: the program releases a processor at the end of a nano-thread, so that no
 *             work is stopped which may be in the critical path.
 * Use         the loop, and a processor that waits: due(); if so away(). Others: recall(),
 *             changed()
 * Going       It takes what it has kept back off its successors, moves its deque into its stock,
 *             from where all others take, and wakes another processor if anything is queued. A
 *             maker that queues for it afterwards wakes another one, since it does not count as
 *             asleep (machine.h: nth_machine_wake). Then it is counted out, and sleeps
 * Coming      It is back when it is given back, when a nano-thread that blocked here can go on, and
 *             when the machine stops
 * Nobody hangs
 *             - a nano-thread that has begun ends here: one that blocked goes on on no other
 *               processor, so this one comes back for it, is counted in, and goes away after it
 *             - one that has not begun is in no place that only this processor looks at
 *             - processor 0, the master, never goes. But it may be outside nth_block() and wait, by
 *               a flag or at a barrier, for nano-threads, and no other processor may be within the
 *               request. Likewise all of those may be in nano-threads that wait so. Therefore the
 *               first processor beyond the request looks every NTH_AWAY_LOOK_NS. If nano-threads
 *               are queued and no processor within the request has come by since, it stands in: it
 *               runs nano-threads until one comes by or none is queued
 *             - a processor that a maker has woken and that must go passes the wake-up on
 *             - all look every NTH_AWAY_LOOK_NS for themselves, so a requester that ends before it
 *               wakes anybody costs no more than that
 *             - tasks: nano-threads outside regions make no tasks that wait here. A region that a
 *               nano-thread has opened ends before the nano-thread
 * Sleep       As in park.h, with a park and a count of its own. The processor writes its word,
 *             fences all threads (deque:F), and looks at the request, at `resumed` and at `stop`.
 *             Whoever changes one of them makes a fence after the change, then looks at the word:
 *             - resumed: the light fence of nth_lrq_resume(); stop: the same; machine.c
 *             - the request, by nth_request(): a full fence; from outside: the listener reads it,
 *               makes a full fence, and looks at the words
 *             So the processor sees the change, or its word is seen
 * Ownership   seen, stands: the processor's own
 * Orders      came is a hint. The word: park:W
 * Cost        due: one comparison (request.h). Going and coming: a system call each, and two
 *             additions in a shared line. Away: 10 wake-ups a second
 * Tested by   tests/lit/nth/request*.c, tests/model/lrq (park.h)
 */
#ifndef NTH_NTH_AWAY_H
#define NTH_NTH_AWAY_H

#include "runtime/nth/park.h"
#include "runtime/sched/adapt/request.h"

struct nth_processor;

/* A processor's part. */
struct nth_away {
  struct nth_park park;
  _Atomic(uint32_t)
      came;      /* how often it has come by its loop's turns; w: the processor; r: one that
                  * is away */
  uint32_t seen; /* the sum of all `came` within the request, at the last look */
  bool stands;   /* it stands in */
};

/* Whether k has to go. By k, between two nano-threads. */
bool nth_away_due_slow(struct nth_processor *k);
static inline bool nth_away_due(struct nth_processor *k, uint32_t number) {
  return nth_unlikely(nth_request_takes(number)) && nth_away_due_slow(k);
}

/* Goes away; returns when k is back. */
void nth_away(struct nth_processor *k);

/* Makes k look again if it is away. After a fence. True: it was. */
bool nth_away_recall(struct nth_processor *k);

/* Another number is asked for: those that are given back come, idle ones that are taken go. After a
 * full fence. */
void nth_away_changed(void);

/* From now on n processors, 0: all. Returns 0, or EINVAL: n < 0. */
int nth_away_request(int n);

#endif
