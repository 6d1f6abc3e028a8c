/* asks.c - compares the answers of OMPT's entry points with the grammar tool's model
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <unistd.h>

#include "model.h"

static ompt_get_task_info_t task_info;
static ompt_get_parallel_info_t parallel_info;
static ompt_get_state_t state;
static ompt_get_proc_id_t proc_id;
static ompt_get_num_procs_t num_procs;

void grammar_asks_begin(ompt_function_lookup_t lookup) {
  grammar_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
  task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
  parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
  state = (ompt_get_state_t)lookup("ompt_get_state");
  proc_id = (ompt_get_proc_id_t)lookup("ompt_get_proc_id");
  num_procs = (ompt_get_num_procs_t)lookup("ompt_get_num_procs");
}

int grammar_state(void) {
  ompt_wait_id_t id = 0;
  return state(&id);
}

/* The task whose frames are on the stack below t's. */
static struct task *around(struct task *t) {
  return t->flags & ompt_task_explicit ? t->below : t->region->from;
}

/* An implicit task in its region's barrier has no frames of the program any longer. */
static bool ends(const struct task *t) {
  return t->opens > 0 && t->open[t->opens - 1].kind == ompt_sync_region_barrier_implicit_parallel;
}

/* What ompt_get_task_info should say: the implicit task of a team of one is undeferred. */
static int flags_of(const struct task *t) {
  bool alone = t->flags & ompt_task_implicit && atomic_load(&t->region->size) == 1;
  return t->flags | (alone ? (int)ompt_task_undeferred : 0);
}

static void ask_tasks(struct task *t, const char *event) {
  for (int level = 0; level < 64; level++, t = around(t)) {
    int flags = 0, number = -1;
    ompt_data_t *task = 0, *parallel = 0;
    ompt_frame_t *frame = 0;
    int is = task_info(level, &flags, &task, &frame, &parallel, &number);
    if (!t) {
      EXPECT(is == 0, "%s: task_info(%d) is %d behind the outermost task", event, level, is);
      return;
    }
    if (!EXPECT(is == 2 && task == t->data, "%s: task_info(%d) is another task (%d)", event, level,
                is))
      return;
    if (t->pid != getpid()) /* forked: what is around it has stayed behind */
      return;
    EXPECT(parallel == t->region->data, "%s: task_info(%d) is in another region", event, level);
    EXPECT(flags == flags_of(t), "%s: task_info(%d) has flags %x, not %x", event, level,
           (unsigned)flags, (unsigned)flags_of(t));
    EXPECT(number == (int)t->number, "%s: task_info(%d) is thread %d, not %u", event, level, number,
           t->number);
    EXPECT(frame && (level == 0 || frame->enter_frame.ptr || ends(t)),
           "%s: task_info(%d) has no enter frame", event, level);
  }
}

static void ask_regions(struct region *r, const char *event) {
  for (int level = 0; level < 64; level++) {
    ompt_data_t *parallel = 0;
    int size = 0, is = parallel_info(level, &parallel, &size);
    if (r && r->pid != getpid())
      return;
    if (!r) {
      EXPECT(is == 0, "%s: parallel_info(%d) is %d outside all", event, level, is);
      return;
    }
    EXPECT(is == 2 && parallel == r->data && size == (int)atomic_load(&r->size),
           "%s: parallel_info(%d) is %d, size %d, not %u", event, level, is, size,
           atomic_load(&r->size));
    r = r->from ? r->from->region : 0;
  }
}

void grammar_ask(struct thread *me, const char *event) {
  struct task *t = me->task;
  int is = grammar_state();
  if (!t) {
    EXPECT(task_info(0, 0, 0, 0, 0, 0) == 0, "%s: a task where there is none", event);
    EXPECT(is == ompt_state_idle || is == ompt_state_overhead, "%s: state %x of an idle thread",
           event, (unsigned)is);
    return;
  }
  ask_tasks(t, event);
  ask_regions(t->region, event);
  bool serial = !t->region->from;
  EXPECT(t->pid != getpid() ||
             (is != (serial ? ompt_state_work_parallel : ompt_state_work_serial) &&
              is != ompt_state_idle && is != ompt_state_undefined),
         "%s: state %x %s", event, (unsigned)is, serial ? "outside regions" : "in a region");
  EXPECT(proc_id() >= -1 && num_procs() >= 1, "%s: no processors", event);
}
