/* own-tools.h - what nanogomp's own tools hear beyond OMPT
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OMPT tells which iteration of a doacross loop a thread will wait for (dependences),
 *             but not that it waits, nor when it goes on. A profile would take the wait for work
 * Use         a tool's initialize calls nth_tool_hear_doacross_wait() with its `lookup`. Another
 *             runtime has no such entry point, and then the tool hears nothing
 */
#ifndef NTH_OMP_OWN_TOOLS_H
#define NTH_OMP_OWN_TOOLS_H

#include "runtime/omp/tool/omp-tools.h"

/* The calling thread begins to wait for an iteration, or goes on. */
typedef void (*nth_tool_doacross_wait_t)(ompt_scope_endpoint_t endpoint, const void *codeptr_ra);

#define NTH_TOOL_SET_DOACROSS_WAIT "nth_set_doacross_wait" /* name of the entry point */
typedef void (*nth_tool_set_doacross_wait_t)(nth_tool_doacross_wait_t callback);

static inline void nth_tool_hear_doacross_wait(ompt_function_lookup_t lookup,
                                               nth_tool_doacross_wait_t callback) {
  nth_tool_set_doacross_wait_t set =
      (nth_tool_set_doacross_wait_t)lookup(NTH_TOOL_SET_DOACROSS_WAIT);
  if (set)
    set(callback);
}

#endif
