/* api_tool.c - what a program tells the tool that watches it
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 18.14.
 */
#include <stdint.h>

#include "abi_protos.h"

#include "abi/tool.h"

enum { NO_TOOL = -2 }; /* omp_control_tool_notool of nanogomp/control_tool.h */

#define CONTROL(command, modifier, arg)                                                            \
  (nth_tool_on() ? nth_told_control(command, modifier, arg, NTH_RA) : NO_TOOL)

/* What the tool answers; it is told the place in the program. 18.14. */
int omp_control_tool(int command, int modifier, void *arg) {
  return CONTROL(command, modifier, arg);
}

/* Fortran has no argument for the tool. */
int32_t omp_control_tool_(const int32_t *command, const int32_t *modifier) {
  return CONTROL(*command, *modifier, 0);
}

/* The same with an INTEGER(8). */
int32_t omp_control_tool_8_(const int32_t *command, const int64_t *modifier) {
  return CONTROL(*command, (int)*modifier, 0);
}
