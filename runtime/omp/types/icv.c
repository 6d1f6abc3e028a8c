/* icv.c - the ICVs of the process
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/types/icv.h"

#include "runtime/sched/wait/wait.h"

char nth_env_format[] = "level %L thread %i affinity %A";

struct nth_env nth_env = NTH_ENV_DEFAULTS;
struct nth_settings nth_settings;
