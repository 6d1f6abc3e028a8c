/* task.c - explicit tasks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, sections 12.5, 12.10 and 15.5. Bits of flags: 1 untied, 2 final, 4 mergeable, 8 depend,
 * 16 priority, 0x2000 detach. Old callers pass fewer arguments: one is read only when its bit is set.
 */
#include "abi_protos.h"

#include "runtime/omp/member.h"
#include "runtime/omp/task.h"

#define DEPEND 8u

void GOMP_task(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *), long arg_size,
               long arg_align, bool if_clause, unsigned flags, void **depend, int priority,
               void *detach) {
  (void)depend;
  (void)priority;
  (void)detach;
  /* Tasks with dependences run one after the other where they are met: each finds its predecessors
   * finished, whatever the dependences are. */
  bool deferred = if_clause && !(flags & DEPEND);
  nth_task_create(fn, data, cpyfn, (size_t)arg_size, (size_t)arg_align, deferred,
                  flags & (NTH_TASK_UNTIED | NTH_TASK_FINAL));
}

void GOMP_taskwait(void) { nth_task_wait(nth_member_get()); }

void GOMP_taskyield(void) { nth_task_yield(nth_member_get()); }

int omp_in_final(void) {
  struct nth_member *m = nth_self;
  return m && (m->now.task->flags & NTH_TASK_FINAL) != 0;
}

int omp_in_explicit_task(void) {
  struct nth_member *m = nth_self;
  return m && !(m->now.task->flags & NTH_TASK_IMPLICIT);
}
