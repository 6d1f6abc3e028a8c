/* brief.c - which functions' tasks are known to be brief
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/queue/brief.h"

#include "runtime/arch/section.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/omp/types/icv.h"

_Atomic(uint64_t) nth_brief_scores[NTH_BRIEFS] NTH_SPARSE;

void nth_brief_judge(void (*fn)(void *), uint64_t tasks, uint64_t ns) {
  _Atomic(uint64_t) *score = nth_brief_score(fn);
  uint64_t seen = nth_load_rlx(score), now = nth_fn_number(seen, fn);
  uint64_t more = (ns >> NTH_BRIEF_UNIT) + 1;
  nth_assert(fn && tasks > 0 && now <= NTH_BRIEF_MOST); /* I1 */
  if (nth_unlikely(nth_env.test_brief))
    now = NTH_BRIEF_MOST;
  else if (ns >= tasks * NTH_BRIEF_NS)
    now = now < NTH_BRIEF_LONG ? 0 : now - NTH_BRIEF_LONG;
  else
    now = now + more < NTH_BRIEF_MOST ? now + more : NTH_BRIEF_MOST;
  if (seen != nth_fn_word(fn, now))
    nth_store_rlx(score, nth_fn_word(fn, now));
}

void nth_pace_begin(struct nth_pace *p, void (*fn)(void *), uint32_t tasks) {
  nth_assert(fn && tasks > 0);
  *p = (struct nth_pace){fn, nth_clock_ns(), tasks, tasks};
}

void nth_pace_end(struct nth_pace *p) {
  nth_assert(p->left == 0);
  nth_brief_judge(p->fn, p->tasks, nth_clock_ns() - p->since_ns);
}
