/* task.c - explicit tasks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, sections 12.5, 12.10, 15.5 and 18.11.1.
 */
#include "abi_protos.h"

#include "abi/depend_check.h"
#include "abi/fatal.h"
#include "abi/task_flags.h"
#include "abi/tool.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/taskloop/task_pack.h"
#include "runtime/omp/tasks/depend.h"
#include "runtime/omp/tasks/task_frame.h"
#include "runtime/omp/tasks/task_run.h"
#include "runtime/omp/team/cancel.h"

enum { NOT_PLAIN = NTH_FLAG_DEPEND | NTH_FLAG_PRIORITY | NTH_FLAG_DETACH };

/* The last arguments of GOMP_task, and where it returns to. Old callers pass no depend, priority or
 * detach: their places on the stack are the caller's own variables, which nobody may change. So the
 * three are read where they are, and only if flags says that they are there. */
struct last {
  void **const *depend;
  const int *priority;
  void *const *detach;
  const void *from;
  unsigned flags;
  bool if_clause;
};

static inline struct nth_task_args args_of(void (*fn)(void *), void *data,
                                           void (*cpyfn)(void *, void *), long arg_size,
                                           long arg_align, const struct last *l) {
  unsigned flags = l->flags;
  struct nth_task_args a = {.fn = fn,
                            .data = data,
                            .copy = cpyfn,
                            .size = (size_t)arg_size,
                            .align = (size_t)arg_align,
                            .flags = flags & (NTH_FLAG_UNTIED | NTH_FLAG_FINAL),
                            .deferred = l->if_clause};
  if (flags & NTH_FLAG_DEPEND) {
    a.depend = *l->depend;
    nth_abi_check_depend(a.depend);
  }
  if (flags & NTH_FLAG_PRIORITY)
    a.priority = nth_abi_priority(flags, *l->priority);
  if (flags & NTH_FLAG_DETACH)
    a.event = *l->detach;
  return a;
}

/* A task that is untied but otherwise plain. It may be suspended, so it does not run on this stack
 * if its function is known to wait. */
static void create_untied(struct nth_member *m, void (*fn)(void *), void *data, size_t size,
                          size_t align, const struct last *l) {
  uint32_t kept = l->flags & (NTH_FLAG_UNTIED | NTH_FLAG_FINAL);
  bool must = !l->if_clause || m->now.task->flags & NTH_TASK_FINAL;
  if (nth_task_at_once(m, fn, l->if_clause) && (must || !nth_task_wants_berth(m, kept, fn)))
    nth_task_run_now(m, fn, data, kept);
  else
    nth_task_defer(m, fn, data, size, align, kept);
}

/* A task that is not both tied and plain, or of which a tool hears, or whose maker is a thread that
 * is new to the library. */
static __attribute__((noinline)) void create(void (*fn)(void *), void *data,
                                             void (*cpyfn)(void *, void *), long arg_size,
                                             long arg_align, const struct last *l) {
  struct nth_member *m = nth_member_get();
  if (!(l->flags & NOT_PLAIN) && l->flags & NTH_FLAG_UNTIED && !cpyfn && !nth_task_watched) {
    create_untied(m, fn, data, (size_t)arg_size, (size_t)arg_align, l);
    return;
  }
  struct nth_task_args a = args_of(fn, data, cpyfn, arg_size, arg_align, l);
  if (nth_tool_on()) {
    a.flags |= l->flags & NTH_FLAG_MERGEABLE ? NTH_TASK_MERGEABLE : 0;
    nth_told_task_create(m, &a, nth_told_site(l->from));
  } else {
    nth_task_create(m, &a);
  }
}

/* The task construct (section 12.5). data: arg_size bytes of arguments, which the task aligns to
 * arg_align bytes; cpyfn, if given, copies them. flags: 1 untied, 2 final, 4 mergeable (no effect),
 * 8 depend, 16 priority, 0x2000 detach. Old callers pass fewer arguments, so depend, priority and
 * detach are each read only if their bit is set. depend: see omp/tasks/depend.h. detach: where the
 * event's handle is written. An omp_depend_t of an unknown kind ends the program with status 1. */
void GOMP_task(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *), long arg_size,
               long arg_align, bool if_clause, unsigned flags, void **depend, int priority,
               void *detach) {
  struct nth_member *m = nth_member_known();
  uint32_t kept = flags & NTH_FLAG_FINAL;
  if (nth_unlikely(flags & (NTH_FLAG_UNTIED | NOT_PLAIN) || cpyfn || !m || nth_task_watched)) {
    struct last l = {&depend, &priority, &detach, NTH_RETURNS, flags, if_clause};
    create(fn, data, cpyfn, arg_size, arg_align, &l);
  } else if (nth_task_at_once(m, fn, if_clause)) {
    if (nth_likely(nth_task_frame_fits(m)))
      nth_task_run_frame(m, fn, data, kept);
    else
      nth_task_run_now(m, fn, data, kept);
  } else if (nth_task_one_of_many(m)) {
    nth_task_pack(m, fn, data, (size_t)arg_size, (size_t)arg_align, kept);
  } else {
    nth_task_defer(m, fn, data, (size_t)arg_size, (size_t)arg_align, kept);
  }
}

/* taskwait (section 15.5): the current task's children are finished when it returns. */
void GOMP_taskwait(void) {
  if (nth_tool_on())
    nth_told_task_wait(nth_member_get(), NTH_RA);
  else
    nth_task_wait(nth_member_get());
}

/* taskwait with depend clauses: those children that it depends on are finished when it returns. */
void GOMP_taskwait_depend(void **depend) {
  nth_abi_check_depend(depend);
  NTH_DEPEND_WAIT(nth_member_get(), depend);
}

/* taskwait with depend clauses and nowait: later siblings can depend on it; the call does not
 * wait. */
void GOMP_taskwait_depend_nowait(void **depend) {
  nth_abi_check_depend(depend);
  NTH_DEPEND_NOWAIT(nth_member_get(), depend);
}

/* taskyield (section 12.10): may run a descendant of the current task. */
void GOMP_taskyield(void) {
  if (nth_tool_on())
    nth_told_task_yield(nth_member_get());
  else
    nth_task_yield(nth_member_get());
}

/* omp_fulfill_event (section 18.11.1): any thread may call it, also one outside the team. If the
 * event is already fulfilled the program ends with status 1. */
void omp_fulfill_event(omp_event_handle_t event) {
  struct nth_task *t = (struct nth_task *)(uintptr_t)event;
  if (!(nth_tool_on() ? nth_told_fulfill(t) : nth_task_fulfill(t))) {
    nth_msg_libgomp("omp_fulfill_event: %p event is invalid or has already been fulfilled!",
                    (void *)(uintptr_t)event);
    exit(EXIT_FAILURE);
  }
}

/* omp_in_final (section 18.5.3): 1 in a final task region, else 0. */
int omp_in_final(void) {
  struct nth_member *m = nth_self;
  return m && (m->now.task->flags & NTH_TASK_FINAL) != 0;
}

/* omp_in_explicit_task (OpenMP 6.0, section 25.5.2): 1 in an explicit task region, else 0. */
int omp_in_explicit_task(void) {
  struct nth_member *m = nth_self;
  return m && !(m->now.task->flags & NTH_TASK_IMPLICIT);
}
