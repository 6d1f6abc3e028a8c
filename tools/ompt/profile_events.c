/* profile_events.c - what the library tells, as time of a member in a state at a node
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/tool/own-tools.h"
#include "tools/ompt/profile_state.h"

/* --- waits --- */

static uint32_t kind_of_wait(ompt_sync_region_t kind) {
  switch (kind) {
  case ompt_sync_region_taskwait: return PROF_TASKWAIT;
  case ompt_sync_region_taskgroup: return PROF_TASKGROUP;
  case ompt_sync_region_barrier_explicit: return PROF_BARRIER;
  default: return PROF_BARRIER_IMPLICIT;
  }
}

static __attribute__((noinline)) void wait_changes(struct prof_me *m, ompt_sync_region_t kind,
                                                   ompt_scope_endpoint_t endpoint,
                                                   ompt_data_t *task, const void *ra) {
  spend(m, ticks_now());
  if (endpoint == ompt_scope_begin) {
    struct prof_cell *c = prof_find(m, kind_of_wait(kind), ra, 0, node_of(task)->scope);
    c->count++;
    enter(m, c, PROF_WAIT);
  } else {
    m->task = task;
    work(m);
  }
}

static void sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                             ompt_data_t *parallel, ompt_data_t *task, const void *ra) {
  bool joins = kind == ompt_sync_region_barrier_implicit_parallel;
  /* at the end of a region it waits on, until its task or the region ends */
  (void)parallel;
  if (joins) {
    if (endpoint == ompt_scope_begin)
      prof_join_begins(task);
    return;
  }
  struct prof_me *m = me();
  if (m)
    wait_changes(m, kind, endpoint, task, ra);
}

/* --- tasks --- */

static void task_create(ompt_data_t *from, const ompt_frame_t *frame, ompt_data_t *task, int flags,
                        int has_dependences, const void *ra) {
  struct prof_me *m = me();
  (void)frame, (void)has_dependences;
  if (!m)
    return;
  /* A task stands for a taskwait with dependences. It is undeferred if its maker waits for it. */
  if (flags & ompt_task_taskwait) {
    task->ptr = flags & ompt_task_undeferred ? from : 0;
    if (task->ptr)
      wait_changes(m, ompt_sync_region_taskwait, ompt_scope_begin, from, ra);
    return;
  }
  struct prof_cell *c = prof_find(m, PROF_TASK, ra, 0, node_of(from)->region);
  c->units++;
  task->ptr = c->at;
}

static void push(struct prof_me *m) {
  if (m->frames_used == m->frames_size &&
      !prof_grow(&m->frames, &m->frames_size, sizeof *m->frames, 64))
    return;
  m->frames[m->frames_used++] = (struct prof_frame){m->task, m->cell, m->state};
}

/* The member goes back to a task that it left. False: it did not leave this one. */
static bool pop(struct prof_me *m, ompt_data_t *task) {
  for (uint32_t i = m->frames_used; i > 0; i--)
    if (m->frames[i - 1].task == task) {
      m->frames_used = i - 1;
      m->task = task;
      enter(m, m->frames[i - 1].cell, m->frames[i - 1].state);
      return true;
    }
  return false;
}

/* A gap before a task that is so short, in ticks of PROF_WAIT, was no wait for the task, but the
 * way to it through the runtime. */
static uint64_t short_gap(void) { return prof.second >> 20; } /* 1 us */

static void switched(struct prof_me *m, ompt_data_t *task) {
  uint64_t now = ticks_now();
  uint32_t state = m->state;
  if (state == PROF_WAIT && now - m->row->since < short_gap())
    m->state = PROF_OVERHEAD;
  spend(m, now);
  m->state = state;
  push(m);
  m->task = task;
  struct prof_cell *c = prof_cell_of(m, node_of(task));
  c->count++;
  enter(m, c, PROF_WORK);
}

static void task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
  struct prof_me *m = me();
  if (m && status == ompt_taskwait_complete && prior->ptr)
    wait_changes(m, ompt_sync_region_taskwait, ompt_scope_end, prior->ptr, 0);
  if (!m || !next)
    return;
  switch (status) {
  case ompt_task_switch:
  case ompt_task_yield:
    if (m->frames_used && m->frames[m->frames_used - 1].task == next) { /* suspended */
      spend(m, ticks_now());
      pop(m, next);
    } else {
      switched(m, next);
    }
    break;
  default: /* it is over, for this member */
    spend(m, ticks_now());
    if (!pop(m, next)) {
      m->task = next;
      work(m);
    }
  }
}

/* --- work sharing --- */

static uint32_t kind_of_work(ompt_work_t kind) {
  switch (kind) {
  case ompt_work_sections: return PROF_SECTIONS;
  case ompt_work_single_executor:
  case ompt_work_single_other: return PROF_SINGLE;
  case ompt_work_workshare:
  case ompt_work_scope: return PROF_SCOPE;
  case ompt_work_distribute: return PROF_DISTRIBUTE;
  case ompt_work_taskloop: return PROF_TASKLOOP;
  default: return PROF_LOOP;
  }
}

static void construct(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                      ompt_data_t *task, uint64_t count, const void *ra) {
  struct prof_me *m = me();
  (void)parallel, (void)count;
  if (!m || kind == ompt_work_single_other)
    return;
  struct prof_node *now = node_of(task);
  spend(m, ticks_now());
  m->task = task;
  if (endpoint == ompt_scope_begin) {
    struct prof_cell *c = prof_find(m, kind_of_work(kind), ra, 0, now->scope);
    c->count++;
    task->ptr = c->at;
  } else {
    task->ptr = now->scope;
  }
  work(m);
}

static void dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind,
                     ompt_data_t instance) {
  struct prof_me *m = me();
  (void)parallel;
  if (!m || !task)
    return;
  const ompt_dispatch_chunk_t *chunk = instance.ptr;
  bool counted = kind == ompt_dispatch_ws_loop_chunk || kind == ompt_dispatch_taskloop_chunk ||
                 kind == ompt_dispatch_distribute_chunk;
  struct prof_cell *c = prof_cell_of(m, node_of(task));
  note_size(c, counted && chunk ? chunk->iterations : 1);
  c->units += kind != ompt_dispatch_taskloop_chunk; /* its task was counted when it was made */
}

/* --- mutual exclusion --- */

static uint32_t kind_of_mutex(ompt_mutex_t kind) {
  switch (kind) {
  case ompt_mutex_nest_lock:
  case ompt_mutex_test_nest_lock: return PROF_NEST_LOCK;
  case ompt_mutex_critical: return PROF_CRITICAL;
  case ompt_mutex_atomic: return PROF_ATOMIC;
  case ompt_mutex_ordered: return PROF_ORDERED;
  default: return PROF_LOCK;
  }
}

static bool is_test(ompt_mutex_t kind) {
  return kind == ompt_mutex_test_lock || kind == ompt_mutex_test_nest_lock;
}

static struct prof_cell *mutex_cell(struct prof_me *m, ompt_mutex_t kind, const void *ra) {
  return prof_find(m, kind_of_mutex(kind), ra, 0, node_of(m->task)->scope);
}

static void mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t lock,
                          const void *ra) {
  struct prof_me *m = me();
  (void)hint, (void)impl, (void)lock;
  if (!m || is_test(kind)) /* one that fails is not told */
    return;
  struct prof_cell *c = mutex_cell(m, kind, ra);
  spend(m, ticks_now());
  enter(m, c, PROF_WAIT);
}

static void mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t lock, const void *ra) {
  struct prof_me *m = me();
  if (!m)
    return;
  struct prof_cell *c = is_test(kind) ? mutex_cell(m, kind, ra) : m->cell;
  spend(m, ticks_now());
  c->count++;
  if (m->helds_used < PROF_HELD)
    m->helds[m->helds_used++] = (struct prof_held){lock, m->row->since, c};
  work(m);
}

static void mutex_released(ompt_mutex_t kind, ompt_wait_id_t lock, const void *ra) {
  struct prof_me *m = me();
  (void)kind, (void)ra;
  if (!m)
    return;
  for (uint32_t i = m->helds_used; i > 0; i--)
    if (m->helds[i - 1].lock == lock) {
      struct prof_held *h = &m->helds[i - 1];
      uint64_t now = ticks_now();
      h->cell->held += now - h->since;
      *h = m->helds[--m->helds_used];
      return;
    }
}

/* The wait for an iteration of a doacross loop counts as one for a turn, which nobody holds. */
static void doacross_wait(ompt_scope_endpoint_t endpoint, const void *ra) {
  if (endpoint == ompt_scope_begin) {
    mutex_acquire(ompt_mutex_ordered, 0, 0, 0, ra);
    return;
  }
  struct prof_me *m = me();
  if (!m)
    return;
  struct prof_cell *c = m->cell;
  spend(m, ticks_now());
  c->count++;
  work(m);
}

/* A nest lock that the task has already. */
static void nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t lock, const void *ra) {
  struct prof_me *m = me();
  (void)lock, (void)ra;
  if (!m || endpoint != ompt_scope_begin)
    return;
  spend(m, ticks_now());
  work(m);
}

bool prof_events_register(ompt_function_lookup_t lookup) {
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
#define SET(event, function) ok &= set(ompt_callback_##event, (ompt_callback_t)function) > 1
  bool ok = true;
  SET(thread_begin, prof_thread_begin);
  SET(thread_end, prof_thread_end);
  SET(parallel_begin, prof_parallel_begin);
  SET(parallel_end, prof_parallel_end);
  SET(implicit_task, prof_implicit_task);
  SET(sync_region_wait, sync_region_wait);
  SET(task_create, task_create);
  SET(task_schedule, task_schedule);
  SET(mutex_acquire, mutex_acquire);
  SET(mutex_acquired, mutex_acquired);
  SET(mutex_released, mutex_released);
  SET(nest_lock, nest_lock);
  SET(work, construct);
  SET(dispatch, dispatch);
#undef SET
  nth_tool_hear_doacross_wait(lookup, doacross_wait);
  return ok;
}
