/* display.h - prints the runtime's settings and its threads' affinity when the user asks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMP_DISPLAY_H
#define NTH_OMP_DISPLAY_H

#include <stdbool.h>

struct nth_member;

/* OMP_DISPLAY_ENV, omp_display_env: writes all variables to stderr, in one write. */
void nth_display_env(bool verbose);

/* OMP_DISPLAY_AFFINITY: writes a line to stderr if the calling thread, which is member m, has not
 * shown its affinity yet, or has another one than it has shown. */
void nth_display_affinity_changed(struct nth_member *m);

#endif
