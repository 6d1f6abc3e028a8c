/* display.h - what the runtime shows of itself
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMP_DISPLAY_H
#define NTH_OMP_DISPLAY_H

#include <stdbool.h>

struct nth_member;

/* OMP_DISPLAY_ENV, omp_display_env: all variables on stderr, in one write. */
void nth_display_env(bool verbose);

/* OMP_DISPLAY_AFFINITY: a line on stderr when the calling thread, which is member m, has not shown
 * its affinity yet or it has changed. */
void nth_display_affinity_changed(struct nth_member *m);

#endif
