/* linked.h - a tool in the program, which has to define start(), and end() if it defines OWN_END */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LINKED_H
#define LINKED_H

#include <omp-tools.h>

static int start(ompt_function_lookup_t lookup, int device, ompt_data_t *data);
#ifdef OWN_END
static void end(ompt_data_t *data);
#else
static void end(ompt_data_t *data) { (void)data; }
#endif

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
  static ompt_start_tool_result_t result = {start, end, {0}};
  return version && runtime ? &result : 0;
}

#endif
