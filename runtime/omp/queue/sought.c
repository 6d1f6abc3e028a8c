/* sought.c - which tasks may begin in a wait of a certain task
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/queue/sought.h"

#include "runtime/base/check.h"
#include "runtime/omp/types/depend_type.h"

bool nth_task_descends(const struct nth_task *t, const struct nth_task *from) {
  while ((t = nth_task_parent(t))) {
    if (t == from)
      return true;
  }
  return false;
}

/* Whether a task of group g waits for t, or for one that waits for t. *edges: how many dependences
 * may still be followed. The answer is yes, too, where these are too few, and where t keeps other
 * tasks out until it has run (mutexinoutset), which may be the group's. */
static bool leads_into(const struct nth_task *t, const struct nth_taskgroup *g, uint32_t *edges) {
  if (!(t->flags & NTH_TASK_DEPENDS))
    return false;
  const struct nth_depend *d = nth_task_depend(t);
  uintptr_t first = nth_load_acq(&d->successors); /* depend:S */
  nth_assert(first != NTH_DEPEND_DONE && d->task == t);
  if (d->exclusion)
    return true;
  for (const struct nth_edge *e = (const struct nth_edge *)first; e; e = e->next) {
    if (e->after->kind != NTH_KIND_TASK)
      continue;
    const struct nth_task *after = nth_task_of(e->after);
    if (*edges == 0 || after->made_in == g)
      return true;
    --*edges;
    if (leads_into(after, g, edges))
      return true;
  }
  return false;
}

bool nth_task_is_sought_by_choosy(const struct nth_task *t, const struct nth_task *from) {
  nth_assert(nth_task_is_choosy(from));
  if (from->flags & NTH_TASK_ITS_CHILDREN)
    return nth_task_parent(t) == from;
  uint32_t edges = NTH_SOUGHT_EDGES;
  return t->made_in == from->group ||
         (nth_task_parent(t) == from && leads_into(t, from->group, &edges));
}
