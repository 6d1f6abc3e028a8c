/* taskloop.c - taskloop constructs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 12.6.
 */
#include "abi_protos.h"

#include "abi/task_flags.h"
#include "abi/tool.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/taskloop/taskloop.h"

NTH_WITHIN void taskloop(struct nth_taskloop *l, unsigned flags, unsigned long num_tasks,
                         int priority) {
  l->task.flags = flags & (NTH_FLAG_UNTIED | NTH_FLAG_FINAL);
  l->task.deferred = flags & NTH_FLAG_IF;
  l->task.priority = nth_abi_priority(flags, priority);
  if (flags & NTH_FLAG_GRAINSIZE)
    l->grainsize = num_tasks;
  else
    l->num_tasks = num_tasks;
  l->strict = flags & NTH_FLAG_STRICT;
  l->nogroup = flags & NTH_FLAG_NOGROUP;
  l->reduction = flags & NTH_FLAG_REDUCTION;
  if (nth_tool_on())
    nth_told_taskloop(nth_member_get(), l, NTH_RA);
  else
    nth_taskloop(nth_member_get(), l);
}

/* taskloop over long. data: arg_size bytes of arguments at a multiple of arg_align; cpyfn, if
 * given, copies them. In each task's copy the first two words get the task's start and end
 * (exclusive). num_tasks: the grainsize if flags has 0x200; 0: not given. step: not 0. */
void GOMP_taskloop(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *), long arg_size,
                   long arg_align, unsigned flags, unsigned long num_tasks, int priority,
                   long start, long end, long step) {
  struct nth_taskloop l = {.task = {.fn = fn,
                                    .data = data,
                                    .copy = cpyfn,
                                    .size = (size_t)arg_size,
                                    .align = (size_t)arg_align}};
  nth_loop_args_long(&l.loop, start, end, step);
  taskloop(&l, flags, num_tasks, priority);
}

/* taskloop over unsigned long long; flag 0x100: it counts up. */
void GOMP_taskloop_ull(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *), long arg_size,
                       long arg_align, unsigned flags, unsigned long num_tasks, int priority,
                       unsigned long long start, unsigned long long end, unsigned long long step) {
  struct nth_taskloop l = {.task = {.fn = fn,
                                    .data = data,
                                    .copy = cpyfn,
                                    .size = (size_t)arg_size,
                                    .align = (size_t)arg_align}};
  nth_loop_args_ull(&l.loop, flags & NTH_FLAG_UP, start, end, step);
  taskloop(&l, flags, num_tasks, priority);
}
