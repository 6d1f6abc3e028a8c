/* taskgroup.c - taskgroup constructs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/taskgroup.h"

#include <stdlib.h>

#include "runtime/base/os.h"
#include "runtime/omp/member.h"

void nth_taskgroup_begin(struct nth_member *m) {
  struct nth_taskgroup *g = nth_os_need(sizeof *g);
  g->outer = m->now.task->group;
  g->owner = m;
  m->now.task->group = g;
}

void nth_taskgroup_end(struct nth_member *m) {
  struct nth_task *t = m->now.task;
  struct nth_taskgroup *g = t->group;
  if (!g)
    return;
  nth_task_wait_tally(m, &g->count, t);
  m->now.task->group = g->outer;
  free(g);
}
