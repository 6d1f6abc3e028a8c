/* reduction.c - task reductions
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 5.5.9. runtime/omp/taskloop/reduction.h describes the arrays.
 *
 * GOMP_taskgroup_reduction_register    task_reduction of a taskgroup: makes the copies
 * GOMP_taskgroup_reduction_unregister  frees the copies of a taskgroup
 * GOMP_workshare_task_reduction_unregister
 *                                      the end of a construct or region with reduction(task):
 *                                      waits for the members unless it is cancelled
 * GOMP_scope_start                     scope; the array of reduction(task), or NULL
 * GOMP_scope_start_with_end            the same, and for tools its end, in programs of gcc 17 and
 * GOMP_scope_end                       later that are compiled with -fopenmp-ompt
 * GOMP_parallel_reductions             GOMP_parallel with reduction(task): data starts with the
 *                                      address of the array. Returns the size of the team
 * GOMP_task_reduction_remap            in_reduction: replaces cnt addresses by those of this
 *                                      thread's copies and appends the addresses of the first
 *                                      cntorig originals. If no construct matches, the program ends
 */
#include <stdlib.h>

#include "abi_protos.h"

#include "abi/proc_bind.h"
#include "abi/tool.h"
#include "runtime/base/msg.h"
#include "runtime/omp/taskloop/reduction.h"
#include "runtime/omp/team/parallel.h"

void GOMP_taskgroup_reduction_register(uintptr_t *data) {
  struct nth_member *m = nth_member_get();
  nth_reduction_register(m->now.task->group, data, m->now.team_size);
}

void GOMP_taskgroup_reduction_unregister(uintptr_t *data) { nth_reduction_free(data); }

void GOMP_workshare_task_reduction_unregister(bool cancelled) {
  if (nth_tool_on())
    nth_told_reduction_end(nth_member_get(), cancelled, NTH_RA);
  else
    nth_reduction_end_workshare(nth_member_get(), cancelled);
}

/* Inlined, so that the address is the program's. */
static NTH_HOT void begin_scope(uintptr_t *reductions) {
  if (nth_tool_on())
    nth_told_scope(nth_member_get(), reductions, NTH_RA);
  else if (reductions)
    nth_reduction_begin_scope(nth_member_get(), reductions);
}

void GOMP_scope_start(uintptr_t *reductions) { begin_scope(reductions); }

void GOMP_scope_start_with_end(uintptr_t *reductions) { begin_scope(reductions); }

void GOMP_scope_end(void) {
  if (nth_tool_on())
    nth_told_construct_end(nth_member_get());
}

unsigned GOMP_parallel_reductions(void (*fn)(void *), void *data, unsigned num_threads,
                                  unsigned flags) {
  if (nth_tool_on())
    return nth_told_parallel_reductions(fn, data, num_threads, nth_proc_bind(flags),
                                        *(uintptr_t **)data, NTH_RA);
  return nth_parallel_reductions(fn, data, num_threads, nth_proc_bind(flags), *(uintptr_t **)data);
}

void GOMP_task_reduction_remap(size_t cnt, size_t cntorig, void **ptrs) {
  struct nth_member *m = nth_member_get();
  for (size_t i = 0; i < cnt; i++) {
    void *original, *copy = nth_reduction_find(m, ptrs[i], &original);
    if (!copy) {
      nth_msg_libgomp(
          "couldn't find matching task_reduction or reduction with task modifier for %p", ptrs[i]);
      exit(EXIT_FAILURE);
    }
    ptrs[i] = copy;
    if (i < cntorig)
      ptrs[cnt + i] = original;
  }
}
