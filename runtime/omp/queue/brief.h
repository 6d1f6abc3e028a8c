/* brief.h - which functions' tasks are known to be brief
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         To hand over tasks one by one costs some 100 ns each, half of it needlessly: a thief
 *             may take several at once, and a maker may put several into a pack (task_pack.h). But
 *             programs have tasks that wait for a newer one: two of them talk over a pipe, or as
 *             many as there are members meet in a pthread_barrier. OpenMP does not promise that
 *             such a program ends. On libgomp it does, since its members begin the tasks of a
 *             region one by one, the oldest first. Where all members have taken several, and wait
 *             in the first, nobody begins the others.
 *             So tasks go out one by one until thousands of a function were seen to take less than
 *             NTH_BRIEF_NS each. What waits for another task takes longer now and then: one such in
 *             thousands keeps the function from that, or takes it back.
 * Use         nth_is_brief() when a task is made; nth_pace_begin() when tasks have been stolen,
 *             nth_pace_one() when one has ended in a wait for all tasks. A pace whose end does not
 *             come, since others have stolen the rest, is forgotten at the next theft
 * Invariants  I1  a score is at most NTH_BRIEF_MOST
 *             I2  left <= tasks
 * Orders      none: w, r: any member, relaxed. A lost update costs some single tasks
 * Cost        is: a load of a line that rarely changes. begin and end: a reading of the clock for
 *             each theft
 * Tested by   tests/unit/brief.c, tests/lit/tasks/meet_later.c
 */
#ifndef NTH_OMP_BRIEF_H
#define NTH_OMP_BRIEF_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/config_more.h"
#include "runtime/omp/types/queue_type.h"
#include "runtime/struct/fn_word.h"

/* By function: its score. Of two functions in one row the last one counts. */
extern _Atomic(uint64_t) nth_brief_scores[NTH_BRIEFS] __attribute__((visibility("hidden")));

static inline _Atomic(uint64_t) *nth_brief_score(void (*fn)(void *)) {
  return &nth_brief_scores[nth_fn_row((uintptr_t)fn, NTH_BRIEFS)];
}

static inline bool nth_is_brief(void (*fn)(void *)) {
  uint64_t least = nth_fn_word(fn, NTH_BRIEF_FROM);
  return nth_load_rlx(nth_brief_score(fn)) - least <= NTH_BRIEF_MOST - NTH_BRIEF_FROM;
}

/* So many tasks of that function took so long together. */
void nth_brief_judge(void (*fn)(void *), uint64_t tasks, uint64_t ns);

/* The caller is about to run tasks that it has stolen. fn: the function of all of them. */
void nth_pace_begin(struct nth_pace *p, void (*fn)(void *), uint32_t tasks);
/* One of them has ended, the last one if none is left. */
void nth_pace_end(struct nth_pace *p);
static inline void nth_pace_one(struct nth_pace *p) {
  if (p->left > 0 && --p->left == 0)
    nth_pace_end(p);
}

#endif
