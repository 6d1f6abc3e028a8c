/* profile_state.h - a member's current state: for the files with callbacks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMPT_PROFILE_STATE_H
#define NTH_OMPT_PROFILE_STATE_H

#include "runtime/base/atomic.h"
#include "tools/ompt/profile.h"
#include "tools/ompt/ticks.h"

/* The calling member; NULL: there was no room for it, or its thread has ended. Members that share
 * an OS thread have thread-local storage of their own. */
extern __thread struct prof_me *prof_self
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* A slave's part of a region goes into its cells; profile_region.c. */
void prof_settle(struct prof_me *m);
/* The calling member, for any event but those of profile_region.c. */
static inline struct prof_me *me(void) {
  struct prof_me *m = prof_self;
  if (m && prof_unlikely(m->row->late))
    prof_settle(m);
  return m;
}

/* The callbacks of profile_region.c. */
void prof_thread_begin(ompt_thread_t type, ompt_data_t *data);
void prof_thread_end(ompt_data_t *data);
void prof_parallel_begin(ompt_data_t *from, const ompt_frame_t *frame, ompt_data_t *parallel,
                         unsigned requested, int flags, const void *ra);
void prof_parallel_end(ompt_data_t *parallel, ompt_data_t *from, int flags, const void *ra);
void prof_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                        unsigned size, unsigned index, int flags);
/* The caller's part of a region is over; it waits for the others, until its task or the region
 * ends. */
void prof_join_begins(const ompt_data_t *task);

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
static inline void go(struct prof_me *m, struct prof_cell *c, uint32_t state) {
  m->cell = c;
  m->row->node = c->node;
  m->row->state = m->state = state;
}
static inline void enter(struct prof_me *m, struct prof_cell *c, uint32_t state) {
  go(m, c, state);
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

#endif
