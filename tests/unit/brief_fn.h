/* brief_fn.h - a function whose tasks are known to be brief, or are not
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_UNIT_BRIEF_FN_H
#define NTH_UNIT_BRIEF_FN_H

#include "runtime/omp/queue/brief.h"
#include "tests/unit/unit.h"

static inline void make_brief(void (*fn)(void *), bool is) {
  nth_brief_judge(fn, 4096, 4096 * (NTH_BRIEF_NS - 1));
  for (int i = 0; i < (is ? 0 : 3); i++)
    nth_brief_judge(fn, 1, NTH_BRIEF_NS);
  unit_check(nth_is_brief(fn) == is);
}

#endif
