/* worker_list.c - all objects of workers: free ones, and a walk over the others
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/threads/worker_list.h"

#include <string.h>

#include "runtime/arch/section.h"
#include "runtime/mem/heap.h"
#include "runtime/place/cpus/near.h"
#include "runtime/sched/threads/holder.h"

static struct nth_worker *all, *unused; /* all objects; those of ended threads. Holder's lock */

struct nth_worker *nth_worker_new(void) {
  struct nth_worker *p = unused;
  nth_assert(nth_holder_held());
  if (p) {
    unused = p->next;
    p->next = 0;
    p->gwd = 0;
    p->identity = 0;
    p->home = 0;
    nth_store_rlx(&p->group, NULL);
    p->may_leave = false;
    p->carried = p->created = false;
    memset(&p->waiter, 0, sizeof p->waiter);
    nth_store_rlx(&p->dock, NTH_DOCK_AWAKE);
  } else {
    p = nth_heap_alloc(nth_near_size(sizeof *p));
  }
  if (p && !p->listed) {
    p->listed = true;
    p->older = all;
    all = p;
  }
  return p;
}

void nth_worker_recycle(struct nth_worker *p) {
  nth_assert(p != unused);
  p->next = unused;
  unused = p;
}

NTH_IN_CHILD void nth_worker_list_forked(void) {
  for (struct nth_worker *p = all; p; p = p->older) {
    p->leaving = p->listed = false;
    nth_store_rlx(&p->heard, 0);
  }
  all = unused = 0;
  nth_summons_forked();
}

void nth_workers_summon(void) {
  nth_add_rlx(&nth_summons, 1);
  nth_fence_full(); /* worker:F: against a docked worker's fence before its last look */
}

/* Whether p, in a group, has still to answer. It has no thread to do so if it has LEFT. */
static bool has_to_answer(struct nth_worker *p) {
  if (nth_worker_left(p) || nth_load_acq(&p->heard) == nth_summons_number()) /* summons:S */
    return false;
  nth_worker_nudge(p);
  return true;
}

bool nth_workers_await(bool (*rests)(const struct nth_group *g)) {
  nth_mutex_lock(&nth_holder_lock);
  bool waits = nth_holder_leaving() > 0;
  for (struct nth_worker *p = all; p; p = p->older) {
    const struct nth_group *g = nth_load_rlx(&p->group);
    if (g && has_to_answer(p) && rests(g))
      waits = true;
  }
  nth_mutex_unlock(&nth_holder_lock);
  return waits;
}
