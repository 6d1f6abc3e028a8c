/* display.h - prints the runtime's settings and its threads' affinity when the user asks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMP_DISPLAY_H
#define NTH_OMP_DISPLAY_H

#include <stdbool.h>

/* OMP_DISPLAY_ENV, omp_display_env: writes all variables to stderr, in one write. */
void nth_display_env(bool verbose);

/* OMP_DISPLAY_AFFINITY: writes a line to stderr if `always`, or if the calling thread has not shown
 * its affinity yet, or has another one than it has shown. */
void nth_display_affinity(bool always);

#endif
