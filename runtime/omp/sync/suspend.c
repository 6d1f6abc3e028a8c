/* suspend.c - suspends the current task until any thread says that it may go on
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/sync/suspend.h"

#include "runtime/base/check.h"
#include "runtime/base/config.h"
#include "runtime/base/sleep.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/nano/members.h"
#include "runtime/omp/tasks/task_berth.h"
#include "runtime/omp/tasks/task_run.h"
#include "runtime/omp/types/team_type.h"

void nth_suspended_always(void) { nth_store_rlx(&nth_habit_always, true); }

void nth_suspended_poll(nth_poll_fn *poll) {
  nth_poll_set(poll);
  nth_store_rlx(&nth_task_find_asks, poll || nth_env.max_task_priority > 0);
  const struct nth_member *m = poll ? nth_member_known() : 0;
  for (struct nth_team *t = m ? m->now.team : 0; t; t = t->parent)
    nth_task_announce(t, false); /* sleepers, so that they call it */
}

static bool here(struct nth_member *m) {
  if (!m || !m->now.team || m->now.team->generation != nth_fork_generation)
    return false;
  if (m->now.task->flags & NTH_TASK_UNTIED)
    nth_habit_note(m, m->now.task->fn, true);
  return nth_berth_may_leave(m) || nth_members_take_turns(m);
}

bool nth_suspended_here(void) { return here(nth_member_known()); }

bool nth_suspended_begin(struct nth_suspended *s) {
  struct nth_member *m = nth_member_known();
  if (!here(m))
    return false;
  s->berth = nth_berth_may_leave(m) ? nth_berth_mark(m) : 0;
  nth_store_rlx(&s->over, 0);
  return true;
}

/* The caller's OS thread goes on with tasks that are suspended here, and with other members. If
 * there is none that can run, it sleeps. */
static void wait_as_member(struct nth_member *m, struct nth_suspended *s) {
  nth_assert(nth_task_caller_is(m) && m->identity);
  while (!nth_load_acq(&s->over)) { /* O */
    nth_poll();
    if (nth_load_acq(&s->over)) /* O */
      return;
    if (nth_task_go_on_beside(m) || nth_carry_yield(m->identity))
      continue;
    uint64_t nap = nth_poll_nap(NTH_UNSURE_NS);
    (void)nth_sleep(&s->over, 0, nap);
  }
}

void nth_suspended_wait(struct nth_suspended *s) {
  struct nth_member *m = nth_member_known();
  nth_assert(m && nth_task_caller_is(m));
  if (!s->berth) {
    wait_as_member(m, s);
    return;
  }
  nth_assert(m->berth == s->berth);
  nth_deque_publish(&m->now.slot->queue.deque);
  nth_berth_leave(s->berth);
}

void nth_suspended_over(struct nth_suspended *s) {
  if (s->berth) {
    nth_berth_ready(s->berth);
    return;
  }
  nth_store_rel(&s->over, 1); /* O */
  nth_rouse(&s->over, 1);
}
