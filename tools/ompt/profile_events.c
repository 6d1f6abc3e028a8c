/* profile_events.c - what the library tells, as time of a member in a state at a node
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/base/atomic.h"
#include "runtime/omp/tool/own-tools.h"
#include "tools/ompt/profile.h"
#include "tools/ompt/ticks.h"

/* The calling member; NULL: there was no room for it, or its thread has ended. Members that share
 * an OS thread have thread-local storage of their own. */
static __thread struct prof_me *self __attribute__((tls_model("initial-exec")));
static inline struct prof_me *me(void) { return self; }
struct prof_me *prof_events_caller(void) { return self; }

/* --- states --- */

/* The member was in its state until now. */
static inline void spend(struct prof_me *m, uint64_t now) {
  uint64_t since = m->row->since;
  if (prof_unlikely((int64_t)(now - since) < 0)) /* counters of two CPUs may differ a little */
    now = since;
  m->cell->ticks[m->state] += now - since;
  if (now < m->bin_end)
    m->bin->ticks[m->state] += now - since;
  else
    prof_line_slow(m, since, now);
  if (prof_unlikely(m->open))
    prof_papi_close(m, now - since);
  m->row->since = now;
}

/* From now on it is in this one. */
static inline void enter(struct prof_me *m, struct prof_cell *c, uint32_t state) {
  m->cell = c;
  m->row->node = c->node;
  m->row->state = m->state = state;
  if (nth_load_rlx(&prof.counts) && state == PROF_WORK && !prof_papi_spent(c))
    prof_papi_open(m);
}

static inline struct prof_node *node_of(const ompt_data_t *task) {
  return task && task->ptr ? task->ptr : prof.root;
}

/* It works on its task. */
static inline void work(struct prof_me *m) {
  enter(m, prof_cell_of(m, node_of(m->task)), PROF_WORK);
}

static inline void note_size(struct prof_cell *c, uint64_t size) {
  c->size += size;
  c->least = c->most == 0 || size < c->least ? size : c->least;
  c->most = size > c->most ? size : c->most;
}

static inline void unit(struct prof_cell *c, uint64_t size) {
  note_size(c, size);
  c->units++;
}

/* --- threads --- */

/* The member that called fork() begins again in the child. */
static void forker_begins(struct prof_me *m) {
  m->row->since = m->row->begin = ticks_now();
  m->row->end = 0;
  m->row->threads = 1;
  m->bin_end = 0;
  m->open = false;
  m->counters = (struct prof_counters){0};
  m->inside = false;
}

/* In a child of fork(): its profile begins with its first region or thread. If a new thread does
 * this, what the member that called fork() counts meanwhile may be lost. */
static void child_begin(void) {
  pthread_mutex_lock(&prof.lock);
  if (nth_load_rlx(&prof.forked)) {
    prof_store_child();
    prof_process_child();
    if (prof.forker)
      forker_begins(prof.forker);
    nth_store_rel(&prof.forked, false);
  }
  pthread_mutex_unlock(&prof.lock);
}

static void thread_begin(ompt_thread_t type, ompt_data_t *data) {
  if (prof_unlikely(nth_load_acq(&prof.forked)))
    child_begin();
  data->ptr = self = prof_member_begin(type == ompt_thread_initial);
}

static void thread_end(ompt_data_t *data) {
  struct prof_me *m = data->ptr;
  if (!m)
    return;
  spend(m, ticks_now());
  if (m->inside)
    prof_process_leave(m, m->row->since);
  prof_papi_leave(m);
  if (prof.forker == m)
    prof.forker = 0;
  prof_member_end(m);
  data->ptr = self = 0;
}

/* --- regions --- */

/* A region's ompt_data_t: the node's number and one more, and when it began, in one word. So a
 * slave reads no memory of the master's but the region's record, which it has to read anyway. */
enum { BEGIN_BITS = 48 }; /* ticks of a day */
static inline uint64_t region_word(const struct prof_cell *c, uint64_t now) {
  return (uint64_t)(c->node + 1) << BEGIN_BITS | (now & ((1ull << BEGIN_BITS) - 1));
}
/* The caller's cell of the region. */
static inline struct prof_cell *region_cell(struct prof_me *m, uint64_t word) {
  uint32_t id = (uint32_t)(word >> BEGIN_BITS) - 1;
  struct prof_cell *c = id < m->cells_size ? m->cells[id] : 0;
  return c ? c : prof_cell_slow(m, prof.nodes[id]);
}
/* The time since it began. */
static inline uint64_t region_ticks(uint64_t word, uint64_t now) {
  return ((now - word) << (64 - BEGIN_BITS)) >> (64 - BEGIN_BITS);
}

/* A second has gone since the last pair of times; one member is enough. */
static void note_pair(void) {
  if (pthread_mutex_trylock(&prof.lock) == 0) {
    prof_store_pair();
    pthread_mutex_unlock(&prof.lock);
  }
}

static void parallel_begin(ompt_data_t *from, const ompt_frame_t *frame, ompt_data_t *parallel,
                           unsigned requested, int flags, const void *ra) {
  struct prof_me *m = me();
  (void)flags;
  if (!m)
    return;
  if (prof_unlikely(nth_load_acq(&prof.forked)))
    child_begin();
  const void *enter_frame = frame ? frame->enter_frame.ptr : 0;
  struct prof_node *around = node_of(from)->region;
  struct prof_cell *c = prof_region(m, ra, enter_frame, around);
  uint64_t now = ticks_now();
  spend(m, now);
  if (prof_unlikely((int64_t)(now - nth_load_rlx(&prof.pair_at)) > (int64_t)prof.second))
    note_pair();
  if (prof_unlikely(nth_load_rlx(&prof.pending)))
    prof_papi_again();
  parallel->value = region_word(c, now);
  c->opened = now;
  if (requested > c->team_asked)
    c->team_asked = requested;
  if (around == prof.root && !m->inside)
    prof_process_enter(m, c->at, now);
  enter(m, c, PROF_OVERHEAD);
}

static void parallel_end(ompt_data_t *parallel, ompt_data_t *from, int flags, const void *ra) {
  struct prof_me *m = me();
  uint64_t word = parallel->value;
  (void)flags, (void)ra;
  if (!m || !word)
    return;
  uint64_t now = ticks_now();
  spend(m, now);
  struct prof_cell *c = region_cell(m, word);
  unit(c, region_ticks(word, now));
  c->opened = 0;
  if (m->inside && node_of(from)->region == prof.root)
    prof_process_leave(m, now);
  m->task = from;
  work(m);
}

/* A slave has come: until the region began it was idle, since then it was being called. */
static void called(struct prof_me *m, struct prof_cell *c, uint64_t word, uint64_t now) {
  uint64_t begin = now - region_ticks(word, now);
  if ((int64_t)(begin - m->row->since) > 0)
    spend(m, begin);
  enter(m, c, PROF_OVERHEAD);
}

/* Members of one more team of the master's. */
static inline void note_team(struct prof_cell *c, uint32_t members) {
  if (members > c->team_most)
    c->team_most = members;
  if (members < c->team_least || c->team_least == 0)
    c->team_least = members;
}

/* Each endpoint has a function of its own, which saves only the registers that it needs. master_of:
 * members of the team whose master the task is of; 0: it is a slave's. */
static __attribute__((noinline)) void task_begins(struct prof_me *m, const ompt_data_t *parallel,
                                                  ompt_data_t *task, uint32_t master_of) {
  m->task = task;
  if (!parallel || !parallel->value) {
    task->ptr = prof.root;
    return;
  }
  struct prof_cell *c = region_cell(m, parallel->value);
  uint64_t now = ticks_now();
  task->ptr = c->at;
  if (master_of)
    note_team(c, master_of);
  if (m->state == PROF_IDLE)
    called(m, c, parallel->value, now);
  spend(m, now);
  c->count++;
  enter(m, c, PROF_WORK);
}

static __attribute__((noinline)) void slave_ends(struct prof_me *m) {
  spend(m, ticks_now());
  m->task = 0;
  enter(m, prof_cell_of(m, prof.root), PROF_IDLE);
}

static void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                          unsigned size, unsigned index, int flags) {
  struct prof_me *m = me();
  (void)flags;
  if (!m)
    return;
  if (endpoint == ompt_scope_begin)
    task_begins(m, parallel, task, index == 0 ? size : 0);
  else if (task->ptr != prof.root && index != 0) /* the master's goes on to parallel_end */
    slave_ends(m);
}

/* --- waits --- */

static uint32_t kind_of_wait(ompt_sync_region_t kind) {
  switch (kind) {
  case ompt_sync_region_taskwait: return PROF_TASKWAIT;
  case ompt_sync_region_taskgroup: return PROF_TASKGROUP;
  case ompt_sync_region_barrier_explicit: return PROF_BARRIER;
  default: return PROF_BARRIER_IMPLICIT;
  }
}

/* The member's part of a region is over; it waits for the others. */
static __attribute__((noinline)) void join_begins(struct prof_me *m, const ompt_data_t *task) {
  spend(m, ticks_now());
  enter(m, prof_cell_of(m, node_of(task)->scope), PROF_WAIT);
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
  struct prof_me *m = joins && endpoint == ompt_scope_end ? 0 : me();
  (void)parallel;
  if (!m)
    return;
  if (joins)
    join_begins(m, task);
  else
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
  SET(thread_begin, thread_begin);
  SET(thread_end, thread_end);
  SET(parallel_begin, parallel_begin);
  SET(parallel_end, parallel_end);
  SET(implicit_task, implicit_task);
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
