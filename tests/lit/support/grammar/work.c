/* work.c - the grammar tool's rules for work sharing, cancellation and the error directive
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "model.h"

#include <unistd.h>

/* Whether it is the task's region. In a forked child a region that another thread opened has got a
 * record of its own. */
static bool is_region(const struct task *t, const ompt_data_t *parallel) {
  return parallel == t->region->data || (parallel && t->pid != getpid());
}

static void work(ompt_work_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel,
                 ompt_data_t *task, uint64_t count, const void *ra) {
  struct thread *me = grammar_runs(task, "work");
  (void)count;
  if (!me)
    return;
  EXPECT(ra && is_region(me->task, parallel), "work %d: no address, or another region", kind);
  if (at == ompt_scope_begin)
    grammar_push(me->task, ompt_callback_work, (int)kind, 0);
  else
    grammar_pop(me->task, ompt_callback_work, (int)kind, 0);
}

static void dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind,
                     ompt_data_t instance) {
  struct thread *me = grammar_runs(task, "dispatch");
  if (!me)
    return;
  struct task *t = me->task;
  int within = t->opens ? t->open[t->opens - 1].kind : 0;
  EXPECT(instance.ptr && is_region(t, parallel), "dispatch %d: another region", kind);
  EXPECT(kind == ompt_dispatch_taskloop_chunk ||
             (t->opens && t->open[t->opens - 1].event == ompt_callback_work),
         "dispatch %d outside a work-sharing construct", kind);
  switch (kind) {
  case ompt_dispatch_section:
    EXPECT(within == ompt_work_sections, "a section in %d", within);
    break;
  case ompt_dispatch_ws_loop_chunk:
    EXPECT(within >= ompt_work_loop_static || within == ompt_work_loop, "a chunk in %d", within);
    EXPECT(((ompt_dispatch_chunk_t *)instance.ptr)->iterations > 0, "an empty chunk");
    break;
  case ompt_dispatch_taskloop_chunk:
    EXPECT(t->flags & ompt_task_explicit && t->opens == 0 &&
               ((ompt_dispatch_chunk_t *)instance.ptr)->iterations > 0,
           "a taskloop's part within event %d of a task of flags %x", within, (unsigned)t->flags);
    break;
  default: break;
  }
}

static void cancel(ompt_data_t *task, int flags, const void *ra) {
  struct thread *me = grammar_thread("cancel");
  struct task *t = grammar_task(task, "cancel");
  if (!me || !t)
    return;
  if (flags & ompt_cancel_discarded_task) {
    EXPECT(t->state == CREATED, "cancel: a task is discarded that has run");
    return;
  }
  EXPECT(me->task == t && ra, "cancel: the thread runs another task");
  EXPECT(flags & (ompt_cancel_activated | ompt_cancel_detected), "cancel: flags %x",
         (unsigned)flags);
  t->cancelled = true;
  if (flags & ompt_cancel_parallel)
    atomic_store(&t->region->cancelled, true);
}

static void error(ompt_severity_t severity, const char *message, size_t length, const void *ra) {
  grammar_thread("error");
  EXPECT((severity == ompt_warning || severity == ompt_fatal) && ra && (message || !length),
         "error: severity %d", severity);
}

void grammar_work_begin(void (*set)(ompt_callbacks_t event, ompt_callback_t callback)) {
  set(ompt_callback_work, (ompt_callback_t)work);
  set(ompt_callback_dispatch, (ompt_callback_t)dispatch);
  set(ompt_callback_cancel, (ompt_callback_t)cancel);
  set(ompt_callback_error, (ompt_callback_t)error);
}
