/* profile_process.c - the process as a whole: when it is inside regions, and its events
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Several threads of a program may open regions, each a team of its own. The process is inside
 * regions while at least one of these threads has one open.
 *
 * Some events have one counter for the process: those that a library makes itself, or the
 * machine's. If each member counted them, each event would be there once for every member. So they
 * are read when an outermost region begins or ends, by the thread that does this. What was counted
 * meanwhile belongs to the region that was open, to the latest of several, or to what is outside.
 * The figures are in the cells of a member that stands for the process and has no row in the file.
 */
#include "runtime/base/atomic.h"
#include "tools/ompt/profile.h"
#include "tools/ompt/ticks.h"

/* --- the events; with the lock, which is taken before prof.lock --- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct prof_me *process; /* NULL: not begun, or no room */
static struct prof_me *latest;  /* members with an outermost region, the latest first */

static struct prof_me *make_process(void) {
  struct prof_me *m = prof_private(sizeof *m);
  if (!m || !(m->row = prof_private(sizeof *m->row)))
    return 0;
  m->row->number = PROF_PROCESS;
  m->row->since = prof.head->ticks_begin;
  m->counters.shared = true;
  m->cell = prof_cell_of(m, prof.root);
  return m->cell ? m : 0;
}

/* What was counted is the current node's; from now on it is that of the latest region. */
static void shift(void) {
  if (!process && !(process = make_process()))
    return;
  struct prof_row *row = process->row;
  uint64_t now = ticks_now();
  now = (int64_t)(now - row->since) < 0 ? row->since : now;
  process->cell->ticks[PROF_WORK] += now - row->since;
  process->cell->count++;
  if (process->open)
    prof_papi_close(process, now - row->since);
  row->since = now;
  process->cell = prof_cell_of(process, latest ? latest->counted : prof.root);
  prof_papi_open(process);
}

static void forget(const struct prof_me *m) {
  for (struct prof_me **at = &latest; *at; at = &(*at)->earlier)
    if (*at == m) {
      *at = m->earlier;
      return;
    }
}

static void change(struct prof_me *m, struct prof_node *region) {
  if (nth_load_rlx(&prof.forked))
    return; /* a child whose profile has not begun; the parent may have had the lock */
  pthread_mutex_lock(&lock);
  forget(m);
  if (region) {
    m->counted = region;
    m->earlier = latest;
    latest = m;
  }
  shift();
  pthread_mutex_unlock(&lock);
}

static void count(void) {
  pthread_mutex_lock(&lock);
  shift();
  pthread_mutex_unlock(&lock);
}

void prof_process_begin(void) {
  if (nth_load_rlx(&prof.shares) && !nth_load_rlx(&prof.pending))
    count();
}

void prof_process_end(void) {
  if (nth_load_rlx(&prof.shares))
    count();
}

/* --- regions --- */

static void add_inside(uint64_t ticks) {
  nth_store_rlx(&prof.head->inside, nth_load_rlx(&prof.head->inside) + ticks);
}

/* One member at a time writes `inside`: the one that makes `roots` 1, until it has done so; and one
 * that finds itself to be the only root, while it is a root. Members that come meanwhile leave
 * `inside` alone. */
void prof_process_enter(struct prof_me *m, struct prof_node *region, uint64_t now) {
  m->inside = true;
  if (nth_add_acqrel(&prof.head->roots, 1) == 0) /* R */
    add_inside(-now);
  if (prof_unlikely(nth_load_rlx(&prof.shares)))
    change(m, region);
}

void prof_process_leave(struct prof_me *m, uint64_t now) {
  m->inside = false;
  uint32_t roots = nth_load_acq(&prof.head->roots); /* R */
  for (bool left = false; !left;) {
    bool is_only = roots == 1;
    if (is_only)
      add_inside(now);
    left = nth_cas_acqrel(&prof.head->roots, &roots, roots - 1); /* R */
    if (is_only && !left)
      add_inside(-now);
  }
  if (prof_unlikely(nth_load_rlx(&prof.shares)))
    change(m, 0);
}

void prof_process_child(void) {
  nth_store_rlx(&prof.head->roots, 0);
  nth_store_rlx(&prof.head->inside, 0);
  pthread_mutex_init(&lock, 0); /* another thread of the parent may have had it */
  latest = 0;
  if (!process)
    return;
  process->open = false;
  process->row->since = prof.head->ticks_begin;
  process->counters.fresh = false; /* the sets run on: PAPI takes the thread for its parent's */
  process->counters.spent = 0;
  process->cell = process->cells[prof.root->id];
}
