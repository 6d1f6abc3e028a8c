/* context.c - a switch that takes the thread pointer along
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/context.h"

#include <sys/auxv.h>

bool nth_context_direct;

void nth_context_begin(void) {
#if defined(__x86_64__)
  nth_context_direct = (getauxval(AT_HWCAP2) & 2) != 0; /* HWCAP2_FSGSBASE */
#else
  nth_context_direct = true;
#endif
}
