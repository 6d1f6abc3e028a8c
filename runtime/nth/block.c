/* block.c - nth_block(): a nano-thread waits for its predecessors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/nth/block.h"

#include <errno.h>

#include "runtime/base/check.h"
#include "runtime/nth/machine.h"
#include "runtime/nth/nano.h"
#include "runtime/omp/target/aside.h"
#include "runtime/omp/tasks/task_run.h"
#include "runtime/omp/told/told.h"
#include "runtime/omp/types/generation.h"
#include "runtime/sched/nano/carry.h"
#include "runtime/sched/nano/luggage.h"

/* --- block --- */

/* Leaves the stack of d; returns when d can go on. */
static void leave(struct nth_processor *k, struct nth_desc *d) {
  struct nth_luggage luggage;
  struct nth_aside aside;
  struct nth_member *m = k->member;
  bool open = m->now.team || m->role || m->now.task != &m->solo.implicit;
  nth_luggage_pack(&luggage);
  if (open)
    nth_aside_put(m, &aside);
  nth_processor_leave(k);
  k->runner.current = d;
  if (open)
    nth_aside_back(m, &aside);
  nth_luggage_unpack(&luggage);
}

int nth_processor_block(struct nth_processor *k) {
  struct nth_desc *d = k->runner.current;
  nth_assert(nth_processor_is_mine(k) && nth_deps_state(&d->deps) == NTH_RUNS);
  if (!nth_processor_prepare(k))
    return ENOMEM;
  d->home = k;
  d->stack = k->stack;
  int error = nth_deps_block(&d->deps); /* deps:A */
  if (error)
    return error == EALREADY ? 0 : error;
  leave(k, d);
  if (nth_unlikely(k->generation != nth_fork_generation))
    return ECHILD;
  nth_assert(nth_deps_is(&d->deps, NTH_READY) && k->stack == d->stack);
  nth_deps_set(&d->deps, NTH_RUNS, 0);
  if (k->member->identity && !k->member->now.team)
    nth_carry_own(k->member->identity);
  return 0;
}

/* --- outside --- */

/* Runs a task that descends from the member; false: there is none. The task has a descriptor of its
 * own, since the thread's counts what the thread waits for. */
static bool run_task(struct nth_runner *r, struct nth_member *m) {
  struct nth_desc *waits = r->current,
                  *own = nth_pool_take(nth_runner_pool(r), NTH_POOL_NANO, sizeof *own);
  if (!own)
    return false;
  nth_deps_set(&own->deps, NTH_RUNS, 0);
  r->current = own;
  uint32_t before = nth_task_left_begin(m);
  if (nth_tool_on())
    nth_told_enter(nth_told_task_of(m), __builtin_frame_address(0));
  bool ran = nth_task_run_one(m, m->now.task, NTH_LOOK_ENDS, 0);
  if (nth_tool_on())
    nth_told_leave(nth_told_task_of(m));
  nth_task_left_end(m, before);
  r->current = waits;
  if (nth_deps_is(&own->deps, NTH_RUNS)) /* else unfinished predecessors will still refer to it */
    nth_desc_give(nth_runner_pool(r), own);
  return ran;
}

int nth_block_outside(struct nth_runner *r) {
  struct nth_deps *deps = &r->current->deps;
  nth_assert(!r->processor && r == nth_runner_self);
  int error = nth_deps_await(deps); /* deps:A */
  if (error)
    return error == EALREADY ? 0 : error;
  struct nth_member *m = nth_member_known();
  struct nth_waiter alone = {0};
  struct nth_wait w;
  bool crowded = m && m->now.team ? m->now.team->crowded : nth_machine.processor[0]->crowded;
  nth_wait_begin(&w, m ? &m->proc->waiter : &alone, NTH_WAIT_TASK, crowded);
  while (!nth_deps_done(deps)) {
    bool children = m && nth_tally_left(&m->now.task->children) != 0;
    if (!(children && run_task(r, m)) && !nth_wait_poll(&w))
      nth_deps_sleep(deps, children ? NTH_UNSURE_NS : 0);
  }
  nth_wait_end(&w);
  nth_deps_set(deps, NTH_RUNS, 0);
  return 0;
}
