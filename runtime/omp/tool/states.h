/* states.h - the states of a thread, which OMPT and OMPD have by number and name
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMP_TOOL_STATES_H
#define NTH_OMP_TOOL_STATES_H

/* In the order in which they are told. NOTED(name): members note it when a tool or a debugger is
 * there (nth_tool_member.state). SEEN(name): a debugger alone can get it (libompd.so). */
#define NTH_TOOL_STATES(NOTED, SEEN)                                                               \
  NOTED(undefined)                                                                                 \
  NOTED(work_serial)                                                                               \
  NOTED(work_parallel)                                                                             \
  SEEN(work_reduction)                                                                             \
  SEEN(wait_barrier)                                                                               \
  NOTED(wait_barrier_implicit_parallel)                                                            \
  NOTED(wait_barrier_implicit_workshare)                                                           \
  SEEN(wait_barrier_implicit)                                                                      \
  NOTED(wait_barrier_explicit)                                                                     \
  NOTED(wait_taskwait)                                                                             \
  NOTED(wait_taskgroup)                                                                            \
  SEEN(wait_mutex)                                                                                 \
  NOTED(wait_lock)                                                                                 \
  NOTED(wait_critical)                                                                             \
  NOTED(wait_atomic)                                                                               \
  NOTED(wait_ordered)                                                                              \
  NOTED(idle)

#endif
