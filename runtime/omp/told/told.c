/* told.c - the tool's start and end, and what it hears of threads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/told/told.h"

#include <stdlib.h>

#include "runtime/mem/heap.h"
#include "runtime/omp/told/told_entry.h"

struct nth_tool_member *nth_told_member_begin(struct nth_member *m) {
  struct nth_tool_member *tm = nth_heap_need(sizeof *tm);
  m->tool = tm;
  tm->state = m->is_root ? ompt_state_work_serial : ompt_state_idle;
  NTH_TELL(thread_begin, m->is_root ? ompt_thread_initial : ompt_thread_worker, &tm->data);
  if (!m->is_root)
    return tm;
  tm->task = &tm->initial;
  nth_store_rlx(&tm->whole.size, 1);
  tm->initial.region = &tm->whole;
  tm->initial.flags = ompt_task_initial;
  NTH_TELL(implicit_task, ompt_scope_begin, &tm->whole.data, &tm->initial.data, 1, 1,
           ompt_task_initial);
  return tm;
}

void nth_told_member_end(struct nth_member *m) {
  struct nth_tool_member *tm = m->tool;
  if (!tm)
    return;
  if (nth_tool_on()) {
    if (m->is_root)
      NTH_TELL(implicit_task, ompt_scope_end, 0, &tm->initial.data, 0, 1, ompt_task_initial);
    NTH_TELL(thread_end, &tm->data);
  }
  nth_stall_member_end(tm);
  m->tool = 0;
  nth_heap_free(tm);
}

/* The thread that ends the process is a root, outside regions or not. */
static void last_words(void) {
  struct nth_member *m = nth_member_known();
  if (m && m->is_root && !m->now.team)
    nth_told_member_end(m);
}

/* The library's first byte, and the end of its code: the linker's. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char etext[] __attribute__((visibility("hidden")));

const void *nth_told_site(const void *ra) {
  const struct nth_member *m = nth_member_known();
  bool ours = (uintptr_t)ra - (uintptr_t)__ehdr_start < (uintptr_t)etext - (uintptr_t)__ehdr_start;
  const struct nth_tool_task *t = ours && m && m->tool ? m->tool->task : 0;
  return t && t->code ? t->code : ra;
}

void nth_told_end(void) { nth_tool_end(last_words); }

void nth_told_begin(void) {
  nth_tool_begin(nth_told_lookup);
  if (nth_stall_begin())
    nth_tool.on = true;
  nth_task_watched = nth_env.cancellation || nth_tool.on;
  if (!nth_tool_on())
    return;
  nth_lock_free = UINT32_MAX;
  atexit(nth_told_end); /* behind it the tool's own destructors run */
  nth_told_member(nth_member_get());
}
