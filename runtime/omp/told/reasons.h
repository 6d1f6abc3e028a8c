/* reasons.h - what a thread does or waits for, in words: of NTH_STALL, and of gdb's commands
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         NTH_STALL writes what members note, `nanogomp waits` and `nanogomp why` in gdb read
 *             notes or stacks. A user who has both reports is to find the same words
 * Use         NTH_REASONS(X): X(state, kind, text). state: ompt_state_ and that; of the states of
 *             one kind, gdb knows the first without notes. tools/gdb/reasons.py has the same rows;
 *             tools/check-reasons.py compares them
 */
#ifndef NTH_OMP_REASONS_H
#define NTH_OMP_REASONS_H

#define NTH_REASONS(X)                                                                             \
  X(work_parallel, works, "works")                                                                 \
  X(work_reduction, works, "works")                                                                \
  X(work_serial, works, "works outside regions")                                                   \
  X(wait_barrier, barrier, "waits at a barrier")                                                   \
  X(wait_barrier_explicit, barrier, "waits at a barrier")                                          \
  X(wait_barrier_implicit_workshare, barrier, "waits at the end of a work share")                  \
  X(wait_barrier_implicit, barrier, "waits at an implicit barrier")                                \
  X(wait_barrier_implicit_parallel, join, "waits at the end of its region")                        \
  X(wait_taskwait, taskwait, "waits for the tasks that its task made")                             \
  X(wait_taskgroup, taskgroup, "waits for a taskgroup's tasks")                                    \
  X(wait_mutex, lock, "waits for a lock, critical or atomic construct")                            \
  X(wait_lock, lock, "waits for a lock")                                                           \
  X(wait_critical, lock, "waits for a critical construct")                                         \
  X(wait_atomic, lock, "waits for an atomic construct")                                            \
  X(wait_ordered, ordered, "waits for its turn in a loop")                                         \
  X(idle, idle, "is idle")

enum nth_reason {
  NTH_REASON_works,
  NTH_REASON_barrier,
  NTH_REASON_join,
  NTH_REASON_taskwait,
  NTH_REASON_taskgroup,
  NTH_REASON_lock,
  NTH_REASON_ordered,
  NTH_REASON_idle
};

#endif
