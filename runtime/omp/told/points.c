/* points.c - OMP_DEBUG: what a debugger stops at, and whether members note what it wants to know
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/told/points.h"

#include <stdlib.h>
#include <strings.h>

#include "runtime/base/env.h"
#include "runtime/base/msg.h"

struct nth_points nth_points;
bool nth_points_on;

bool nth_points_begin(void) {
  const char *value = secure_getenv("OMP_DEBUG");
  if (!value || !*value || strcasecmp(value, "disabled") == 0)
    return false;
  if (strcasecmp(value, "enabled") == 0)
    return nth_points_on = true;
  char shown[NTH_ENV_SHOWN];
  nth_msg("OMP_DEBUG takes enabled or disabled, not '%s'; nothing is noted for debuggers",
          nth_env_shown(shown, value));
  return false;
}
