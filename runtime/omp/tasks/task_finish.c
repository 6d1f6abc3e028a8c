/* task_finish.c - counts of tasks: made, finished, waited for
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/tasks/task_finish.h"

#include <string.h>

#include "runtime/arch/section.h"
#include "runtime/base/check.h"
#include "runtime/omp/types/generation.h"

static struct nth_bell outside;

struct nth_bell *nth_task_bell(struct nth_team *team) {
  return team ? &team->help.choosy : &outside;
}

NTH_IN_CHILD void nth_task_bell_forked(void) { memset(&outside, 0, sizeof outside); }

bool nth_tasks_left(const struct nth_team *team, const struct nth_slot *solo) {
  uint32_t n = team ? team->size : 1, left = 0;
  nth_assert(team || solo);
  for (uint32_t i = 0; i < n; i++) {
    const struct nth_slot *s = team ? team->slot[i] : solo;
    left -= nth_load_acq(&s->tasks.done) + nth_load_acq(&s->tasks.done_outside); /* task:A */
  }
  for (uint32_t i = 0; i < n; i++)
    left += nth_load_acq(&(team ? team->slot[i] : solo)->tasks.made); /* task:A */
  return left != 0;
}

void nth_tasks_forget(struct nth_slot *s) {
  nth_store_rlx(&s->tasks.made, 0);
  nth_store_rlx(&s->tasks.done, 0);
  nth_store_rlx(&s->tasks.done_outside, 0);
  s->tasks.seen = 0;
}

void nth_tasks_begin_again(struct nth_team *team) {
  uint64_t made = 0;
  for (uint32_t i = 0; i < team->size; i++) {
    made += nth_load_rlx(&team->slot[i]->tasks.made);
    nth_tasks_forget(team->slot[i]);
  }
  nth_store_rlx(&team->counts.tasks, nth_load_rlx(&team->counts.tasks) + made);
  nth_store_rlx(&team->tasked, false);
}

void nth_task_event_counts(struct nth_task *t, uint32_t n) {
  bool undeferred = t->event.undeferred;
  struct nth_team *team = t->team;
  nth_assert(n > 0 && t->event.node.kind == NTH_KIND_EVENT); /* its flags may be written just now */
  if (nth_deps_sub(&t->event.node.deps, n) != NTH_DEPS_READY) /* deps:A */
    return;
  if (!undeferred) {
    nth_task_finish(t);
    return;
  }
  nth_fence_full(); /* bell:F */
  nth_bell_ring(nth_task_bell(team), INT_MAX);
}

bool nth_task_fulfill(struct nth_task *t) {
  if (nth_unlikely(t->event.generation != nth_fork_generation))
    return true; /* made before a fork: the task belongs to the parent process */
  if (nth_load_rlx(&t->event.fulfilled))
    return false;
  nth_assert(nth_load_rlx(&t->refs) > 0); /* I3: the event's */
  nth_store_rlx(&t->event.fulfilled, true);
  nth_task_event_counts(t, 1);
  nth_task_unref(t);
  return true;
}
