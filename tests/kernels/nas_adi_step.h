/* nas_adi_step.h - a time step of a box: seven parallel loops over lines
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops     the right-hand side along x, y and z; the implicit part, which is SP's or BT's, along
 *           x, y and z; the addition to u. At the end of each all members wait for each other.
 */
#ifndef NTH_KERNEL_NAS_ADI_STEP_H
#define NTH_KERNEL_NAS_ADI_STEP_H

#include "nas_adi_class.h"
#include "nas_adi_rhs.h"

struct nas_solver {
  const char *name, *what;
  const struct nas_class *classes;
  nas_line *implicit; /* the implicit part */
};

enum { STEP_IMPLICIT = NAS_DIRECTIONS, STEP_ADD = 2 * NAS_DIRECTIONS, STEP_LOOPS };

static inline void team_loop(const struct nas_solver *s, const struct zone *z, int loop) {
  if (loop < STEP_IMPLICIT) {
    team_lines(z, loop, rhs_line);
  } else if (loop < STEP_ADD) {
    team_lines(z, loop - STEP_IMPLICIT, s->implicit);
  } else {
    team_lines(z, NAS_X, add_line);
  }
}

/* By the members of the calling team; outside of a region by the thread alone. */
static inline void team_steps(const struct nas_solver *s, const struct zone *z, long steps) {
  for (long i = 0; i < steps * STEP_LOOPS; i++) {
    team_loop(s, z, (int)(i % STEP_LOOPS));
  }
}

#endif
