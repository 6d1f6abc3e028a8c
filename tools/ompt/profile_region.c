/* profile_region.c - threads and regions, as time of a member in a state at a node
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tools/ompt/profile_state.h"

__thread struct prof_me *prof_self;
struct prof_me *prof_events_caller(void) { return me(); }

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
    nth_store_rel(&prof.forked, false); /* F */
  }
  pthread_mutex_unlock(&prof.lock);
}

void prof_thread_begin(ompt_thread_t type, ompt_data_t *data) {
  if (prof_unlikely(nth_load_acq(&prof.forked))) /* F */
    child_begin();
  data->ptr = prof_self = prof_member_begin(type == ompt_thread_initial);
}

void prof_thread_end(ompt_data_t *data) {
  struct prof_me *m = data->ptr;
  if (!m)
    return;
  if (m->row->late)
    prof_settle(m);
  spend(m, ticks_now());
  if (m->inside)
    prof_process_leave(m, m->row->since);
  prof_papi_leave(m);
  if (prof.forker == m)
    prof.forker = 0;
  prof_member_end(m);
  data->ptr = prof_self = 0;
}

/* --- regions --- */

/* A region's ompt_data_t: the node's number and one more, and when it began, in one word. So a
 * slave reads no other memory of its master's. */
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

void prof_parallel_begin(ompt_data_t *from, const ompt_frame_t *frame, ompt_data_t *parallel,
                         unsigned requested, int flags, const void *ra) {
  struct prof_me *m = me();
  (void)flags;
  if (!m)
    return;
  if (prof_unlikely(nth_load_acq(&prof.forked))) /* F */
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
  c->instance = (uint64_t)(uintptr_t)parallel;
  c->opened = now;
  if (requested > c->team_asked)
    c->team_asked = requested;
  if (around == prof.root && !m->inside)
    prof_process_enter(m, c->at, now);
  enter(m, c, PROF_OVERHEAD);
}

void prof_parallel_end(ompt_data_t *parallel, ompt_data_t *from, int flags, const void *ra) {
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

/* A slave has come at `now`: until the region began it was idle, since then it was being called. */
static inline void called(struct prof_me *m, struct prof_cell *c, uint64_t word, uint64_t now) {
  uint64_t begin = now - region_ticks(word, now);
  if ((int64_t)(begin - m->row->since) > 0)
    spend(m, begin);
  go(m, c, PROF_OVERHEAD);
  spend(m, now);
  c->count++;
}

/* --- a slave's part of a region, late --- */

/* Regions of one place follow each other. Where they do not, a slave whose events are to be counted
 * asks at once where it is, until that has been seen often enough to be known. */
enum { EAGER = 64 };

static inline bool counts_here(const struct prof_cell *c) {
  return nth_load_rlx(&prof.counts) && !(c && prof_papi_spent(c));
}

/* Whether the caller, at the begin of a region, may note when that was, and no more. */
static inline bool comes_late(struct prof_me *m) {
  if (prof_unlikely(m->state != PROF_IDLE || m->open || m->eager || counts_here(m->region))) {
    m->eager -= m->eager > 0;
    return false;
  }
  return true;
}

static inline __attribute__((always_inline)) void settle_now(struct prof_me *m) {
  struct prof_row *row = m->row;
  uint64_t word = m->parallel->value;
  if (word) {
    struct prof_cell *c = region_cell(m, word);
    m->task->ptr = c->at;
    called(m, c, word, row->came);
    go(m, c, PROF_WORK);
    if (row->late == PROF_JOINED) {
      spend(m, row->joined);
      go(m, c, PROF_WAIT);
    }
    if (prof_unlikely(m->region != c && counts_here(c)))
      m->eager = EAGER;
    m->region = c;
  } else { /* there was no room for the region */
    m->task->ptr = prof.root;
  }
  row->late = PROF_SETTLED;
}
void prof_settle(struct prof_me *m) { settle_now(m); }

/* Members of one more team of the master's. */
static inline void note_team(struct prof_cell *c, uint32_t members) {
  if (members > c->team_most)
    c->team_most = members;
  if (members < c->team_least || c->team_least == 0)
    c->team_least = members;
}

/* Each endpoint has a function of its own, which saves only the registers that it needs. Of a
 * master, and of an initial task. size: members of the master's team. */
static __attribute__((noinline)) void master_begins(struct prof_me *m, const ompt_data_t *parallel,
                                                    ompt_data_t *task, uint32_t size) {
  m->task = task;
  if (!parallel || !parallel->value) {
    task->ptr = prof.root;
    return;
  }
  struct prof_cell *c = region_cell(m, parallel->value);
  uint64_t now = ticks_now();
  task->ptr = c->at;
  if (size)
    note_team(c, size);
  if (m->state == PROF_IDLE) {
    called(m, c, parallel->value, now);
  } else {
    spend(m, now);
    c->count++;
  }
  enter(m, c, PROF_WORK);
}

/* It has its part in its cells, or the time of its begin in the row. */
static __attribute__((noinline)) void slave_begins(struct prof_me *m, ompt_data_t *parallel,
                                                   ompt_data_t *task) {
  uint64_t now = ticks_now();
  m->task = task;
  if (prof_unlikely(!parallel)) {
    task->ptr = prof.root;
    return;
  }
  __builtin_prefetch(parallel);
  m->parallel = parallel;
  m->row->instance = (uint64_t)(uintptr_t)parallel;
  m->row->came = now;
  bool late = comes_late(m);
  m->row->late = PROF_CAME;
  if (prof_unlikely(!late)) {
    prof_settle(m);
    if (m->state == PROF_WORK)
      enter(m, m->cell, PROF_WORK);
  }
}

/* The master's goes on to parallel_end. */
static __attribute__((noinline)) void ends(struct prof_me *m, const ompt_data_t *task,
                                           unsigned index) {
  if (index == 0)
    return;
  if (m->row->late)
    settle_now(m);
  if (task->ptr == prof.root)
    return;
  spend(m, ticks_now());
  m->task = 0;
  enter(m, prof_cell_of(m, prof.root), PROF_IDLE);
}

void prof_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                        unsigned size, unsigned index, int flags) {
  bool slave = index != 0 && !(flags & ompt_task_initial);
  struct prof_me *m = slave && endpoint == ompt_scope_end ? prof_self : me();
  if (!m)
    return;
  if (endpoint == ompt_scope_end)
    ends(m, task, index);
  else if (slave)
    slave_begins(m, parallel, task);
  else
    master_begins(m, parallel, task, index == 0 ? size : 0);
}

void prof_join_begins(const ompt_data_t *task) {
  struct prof_me *m = prof_self;
  if (!m)
    return;
  uint64_t now = ticks_now();
  if (m->row->late) {
    m->row->joined = now;
    m->row->late = PROF_JOINED;
    return;
  }
  spend(m, now);
  enter(m, prof_cell_of(m, node_of(task)->scope), PROF_WAIT);
}
