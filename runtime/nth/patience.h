/* patience.h - how long a processor without nano-threads looks at what is its own before it steals
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Two processors whose nano-threads make one nano-thread and block, again and again,
 *             would go on to run each other's once one has stolen: each finds nothing of its own,
 *             and its own comes back a moment later
 * How         A wait begins with NTH_PATIENT_POLLS looks at what is its own. Each theft after that
 *             halves their number. It is whole again when another processor resumes a nano-thread
 *             here right after a theft
 * Use         nth_patience_polls() at a wait's begin and in it; _stole() after a theft; _resumes()
 *             before a nano-thread is resumed. `turn` is the processor's count of nano-threads
 *             that it may still run; it falls by one for each, and is not 0. _forgets() when it is
 *             set anew
 * Ownership   the processor's own
 * Cost        a shift, a comparison
 * Tested by   tests/unit/patience.c
 */
#ifndef NTH_NTH_PATIENCE_H
#define NTH_NTH_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/check.h"
#include "runtime/base/config.h"

struct nth_patience {
  uint32_t stole_at; /* `turn` when it last stole; 0: not since `turn` was set */
  uint32_t vain;     /* how often it has halved its patience */
};

/* Polls of a wait during which the processor looks only at what is its own; 0: none. */
static inline uint32_t nth_patience_polls(const struct nth_patience *p) {
  return NTH_PATIENT_POLLS >> p->vain;
}

static inline void nth_patience_stole(struct nth_patience *p, uint32_t turn) {
  nth_assert(turn > 0);
  p->stole_at = turn;
  p->vain += nth_patience_polls(p) > 0;
}

/* told: another processor has let the nano-thread go on. If this one has just stolen, it was too
 * hasty. */
static inline void nth_patience_resumes(struct nth_patience *p, uint32_t turn, bool told) {
  if (told && p->stole_at == turn + 1)
    p->vain = 0;
}

static inline void nth_patience_forgets(struct nth_patience *p) { p->stole_at = 0; }

#endif
