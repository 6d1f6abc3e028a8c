/* grammar.c - a tool that checks whether the events of a program make sense
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why     OMPT's promise is an order of events: each begin has its end, tasks run once, nobody
 *         leaves a barrier before all have come. A program under this tool proves it for its run
 * Use     OMP_TOOL_LIBRARIES=grammar.so program; lit --param tool=grammar
 * Faults  one line each, on stderr, for the first ones; at the end their number. Then the program's
 *         exit status is 99. GRAMMAR_LOG: a file that gets a line for each process, faulty or not
 * Not     in this file: a lock's events are in locks.c, those of work sharing and cancellation in
 *         work.c; what the entry points answer is in asks.c
 *         checked: events of a region in which the process has forked, in the child; barriers of a
 *         region that is cancelled
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model.h"

static ompt_set_callback_t set_callback;

/* --- threads --- */

static void thread_begin(ompt_thread_t type, ompt_data_t *data) {
  struct thread *t = grammar_new(sizeof *t);
  EXPECT(data && !data->ptr, "thread_begin: its data are not new");
  EXPECT(type == ompt_thread_initial || type == ompt_thread_worker, "thread_begin: type %d", type);
  EXPECT(grammar_thread_data() == data, "thread_begin: not the calling thread's data");
  *t = (struct thread){.kind = THREAD, .data = data, .type = type};
  data->ptr = t;
  atomic_fetch_add_explicit(&grammar_events, 1, memory_order_relaxed);
}

static void thread_end(ompt_data_t *data) {
  struct thread *me = grammar_thread("thread_end");
  if (!me)
    return;
  EXPECT(me->data == data, "thread_end: another thread's data");
  EXPECT(!me->task || me->type == ompt_thread_worker, "thread_end in a task");
  me->ended = true; /* its memory stays, so that later events are seen */
}

struct thread *grammar_runs(ompt_data_t *data, const char *event) {
  struct thread *me = grammar_thread(event);
  struct task *t = grammar_task(data, event);
  if (!me || !t)
    return 0;
  if (!EXPECT(me->task == t, "%s: the thread runs another task", event))
    return 0;
  EXPECT(t->state == RUNS && t->thread == me, "%s: of a task that does not run here", event);
  grammar_ask(me, event);
  return me;
}

/* --- regions --- */

static void parallel_begin(ompt_data_t *from, const ompt_frame_t *frame, ompt_data_t *parallel,
                           unsigned wanted, int flags, const void *ra) {
  struct thread *me = grammar_runs(from, "parallel_begin");
  struct region *r = grammar_new(sizeof *r);
  EXPECT(frame && frame->enter_frame.ptr && ra, "parallel_begin: no frame or address");
  EXPECT(parallel && !parallel->ptr, "parallel_begin: its data are not new");
  EXPECT(wanted >= 1, "parallel_begin: no thread requested");
  EXPECT((flags & ompt_parallel_league) != 0 || (flags & ompt_parallel_team) != 0,
         "parallel_begin: flags %x", (unsigned)flags);
  r->kind = REGION;
  r->data = parallel;
  r->from = me ? me->task : 0;
  r->wanted = wanted;
  r->flags = flags;
  r->pid = getpid();
  parallel->ptr = r;
  if (me)
    grammar_push(me->task, ompt_callback_parallel_begin, 0, r);
}

static void parallel_end(ompt_data_t *parallel, ompt_data_t *from, int flags, const void *ra) {
  struct thread *me = grammar_runs(from, "parallel_end");
  struct region *r = grammar_region(parallel, "parallel_end");
  const void *of = 0;
  if (!me || !r || !grammar_pop(me->task, ompt_callback_parallel_begin, 0, &of))
    return;
  EXPECT(of == r && ra && flags == r->flags, "parallel_end: not of the region that began last");
  if (r->pid == getpid()) {
    unsigned size = atomic_load(&r->size), ended = atomic_load(&r->ended);
    EXPECT(size >= 1 && ended == size && atomic_load(&r->begun) == size,
           "parallel_end: %u members, %u implicit tasks ended", size, ended);
    EXPECT(atomic_load(&r->tasks) == 0, "parallel_end: %ld tasks are not complete",
           atomic_load(&r->tasks));
    EXPECT(!atomic_load(&r->early) || atomic_load(&r->cancelled),
           "a barrier let a member out before all had come");
  }
  parallel->ptr = 0;
  grammar_free(r, sizeof *r);
}

/* A region stands for what is around an initial task. */
static struct region *initial_region(ompt_data_t *parallel, unsigned size) {
  struct region *r = grammar_new(sizeof *r);
  *r = (struct region){.kind = REGION, .data = parallel, .pid = getpid()};
  atomic_store(&r->size, size);
  if (EXPECT(parallel && !parallel->ptr, "implicit_task: an initial task without its region"))
    parallel->ptr = r;
  return r;
}

static void implicit_begin(struct thread *me, ompt_data_t *parallel, ompt_data_t *task,
                           unsigned size, unsigned number, int flags) {
  bool initial = flags & ompt_task_initial;
  bool league = initial && parallel && parallel->ptr;
  struct region *r = initial && !league ? initial_region(parallel, size)
                                        : grammar_region(parallel, "implicit_task");
  struct task *t = grammar_new(sizeof *t);
  unsigned unknown = 0;
  if (!r || !EXPECT(task && !task->ptr, "implicit_task: its data are not new"))
    return;
  *t = (struct task){
      .kind = TASK, .data = task, .region = r, .flags = flags, .state = RUNS, .pid = getpid()};
  t->number = initial ? 0 : number;
  t->uses = 1;
  t->below = me->task;
  t->thread = me;
  if (t->below) {
    t->below->state = WAITS;
    atomic_fetch_add(&t->below->uses, 1);
  }
  task->ptr = t;
  me->task = t;
  atomic_compare_exchange_strong(&r->size, &unknown, size);
  EXPECT(size == atomic_load(&r->size) && size >= 1, "implicit_task: size %u, another one says %u",
         size, atomic_load(&r->size));
  if (league || !initial) {
    EXPECT(number < size && size <= (r->wanted ? r->wanted : size),
           "implicit_task: %u of %u, wanted %u", number, size, r->wanted);
    unsigned long bit = 1UL << number % 64;
    EXPECT(number >= 4096 || !(atomic_fetch_or(&r->seen[number / 64], bit) & bit),
           "implicit_task: number %u twice in one region", number);
    EXPECT(number != 0 || league || me->task->below == r->from,
           "implicit_task: member 0 is not the encountering thread");
  }
  atomic_fetch_add(&r->begun, 1);
  grammar_ask(me, "implicit_task begin");
}

static void implicit_end(struct thread *me, ompt_data_t *task, unsigned number, int flags) {
  struct task *t = grammar_task(task, "implicit_task end");
  bool waits = t && t->state == WAITS && t->flags & ompt_task_initial; /* nano-threads are over */
  if (!t || !EXPECT(me->task == t || waits, "implicit_task end: the thread runs another task"))
    return;
  EXPECT(t->opens == 0 || t->cancelled || flags & ompt_task_initial,
         "implicit_task end: event %d, kind %d has no end", t->open[0].event, t->open[0].kind);
  EXPECT(t->flags == flags && (t->number == number || flags & ompt_task_initial),
         "implicit_task end: number %u, flags %x", number, (unsigned)flags);
  EXPECT(atomic_load(&t->region->ended) < atomic_load(&t->region->begun),
         "implicit_task: more ends than begins");
  task->ptr = 0;
  t->state = DONE;
  if (me->task == t)
    me->task = t->below && t->below->state == WAITS && t->below->thread == me ? t->below : 0;
  if (me->task)
    me->task->state = RUNS;
  if (t->below)
    grammar_task_leave(t->below);
  atomic_fetch_add(&t->region->ended, 1);
  grammar_task_leave(t);
}

static void implicit_task(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task,
                          unsigned size, unsigned number, int flags) {
  struct thread *me = grammar_thread("implicit_task");
  if (me && at == ompt_scope_begin)
    implicit_begin(me, parallel, task, size, number, flags);
  else if (me)
    implicit_end(me, task, number, flags);
}

/* --- tasks --- */

static void task_create(ompt_data_t *maker, const ompt_frame_t *frame, ompt_data_t *task, int flags,
                        int depends, const void *ra) {
  struct thread *me = grammar_runs(maker, "task_create");
  struct task *t = grammar_new(sizeof *t);
  (void)depends;
  EXPECT(frame && ra, "task_create: no frame or address");
  if (!me || !EXPECT(task && !task->ptr, "task_create: its data are not new"))
    return;
  struct task *from = me->task;
  *t = (struct task){.kind = TASK,
                     .data = task,
                     .maker = from,
                     .region = from->region,
                     .group = from->group,
                     .flags = flags,
                     .state = CREATED,
                     .pid = getpid(),
                     .cancelled = from->cancelled};
  t->uses = 1;
  task->ptr = t;
  atomic_fetch_add(&from->uses, 1);
  atomic_fetch_add(&from->children, 1);
  atomic_fetch_add(&from->region->tasks, 1);
  if (t->group)
    atomic_fetch_add(&t->group->tasks, 1);
}

/* A clause may name its object by a null pointer. Of the kinds out and inout that means all memory,
 * and has kinds of its own. */
static bool is_named(const ompt_dependence_t *d) {
  return d->variable.ptr || (d->dependence_type != ompt_dependence_type_out &&
                             d->dependence_type != ompt_dependence_type_inout);
}

static void dependences(ompt_data_t *task, const ompt_dependence_t *d, int n) {
  struct thread *me = grammar_thread("dependences");
  if (!me)
    return;
  if (me->task && me->task->data == task) /* doacross */
    EXPECT(n > 0 && (d->dependence_type == ompt_dependence_type_source ||
                     d->dependence_type == ompt_dependence_type_sink),
           "dependences: kind %d of a task that runs", n > 0 ? (int)d->dependence_type : 0);
  else if (grammar_task(task, "dependences"))
    for (int i = 0; i < n; i++)
      EXPECT(d[i].dependence_type >= ompt_dependence_type_in && is_named(&d[i]),
             "dependences: no variable, or kind %d", (int)d[i].dependence_type);
}

/* The first one may have ended meanwhile. */
static void task_dependence(ompt_data_t *before, ompt_data_t *after) {
  struct thread *me = grammar_thread("task_dependence");
  struct task *t = grammar_task(after, "task_dependence");
  if (!me || !t)
    return;
  EXPECT(before && before != after, "task_dependence: a task waits for itself");
  EXPECT(t->state == CREATED && t->maker == me->task, "task_dependence: not of a new task");
}

/* What the thread leaves. */
static void task_leaves(struct thread *me, struct task *t, ompt_task_status_t status) {
  if (!EXPECT(me->task == t && t->state == RUNS && t->thread == me,
              "task_schedule %d: prior is not what the thread runs", status))
    return;
  if (status == ompt_task_switch || status == ompt_task_yield) {
    t->state = WAITS;
    return;
  }
  EXPECT(t->flags & ompt_task_explicit, "task_schedule %d: prior is no explicit task", status);
  EXPECT(t->opens == 0 || t->cancelled || status == ompt_task_cancel,
         "task_schedule %d: event %d, kind %d has no end", status, t->open[0].event,
         t->open[0].kind);
  if (status == ompt_task_detach) {
    EXPECT(!t->fulfilled, "task_schedule: detach of a task that is fulfilled");
    t->state = DETACHED;
  } else {
    grammar_task_over(t);
  }
}

/* What the thread runs next. */
static void task_enters(struct thread *me, struct task *t) {
  if (t->state == CREATED) {
    t->below = me->task;
    t->number = t->below ? t->below->number : 0;
  } else {
    EXPECT(t->state == WAITS, "task_schedule: next runs or is complete");
    EXPECT(t->thread == me || t->flags & ompt_task_untied,
           "task_schedule: a tied task goes to another thread");
  }
  t->thread = me;
  t->state = RUNS;
}

/* A step from t to another task: one that was suspended goes on above t, or t is suspended, with
 * all that lies on its stack. */
static void stack_changes(struct task *t, struct task *to) {
  struct task *b = t;
  if (to->bottom) {
    to->bottom->below = t;
    to->bottom = 0;
    return;
  }
  while (b && b->below != to)
    b = b->below;
  if (b && to->state != CREATED)
    t->bottom = b;
}

static void fulfilled(struct task *t, ompt_task_status_t status) {
  EXPECT(!t->fulfilled && t->flags & ompt_task_explicit, "task_schedule: fulfilled twice");
  t->fulfilled = true;
  if (status == ompt_task_late_fulfill) {
    EXPECT(t->state == DETACHED, "task_schedule: late fulfilment of a task that is not over");
    grammar_task_over(t);
  } else {
    EXPECT(t->state != DETACHED, "task_schedule: early fulfilment of a task that is over");
  }
}

static void task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
  struct thread *me = grammar_thread("task_schedule");
  struct task *t = grammar_task(prior, "task_schedule prior");
  if (!me || !t)
    return;
  if (status == ompt_task_early_fulfill || status == ompt_task_late_fulfill) {
    fulfilled(t, status);
    return;
  }
  if (status == ompt_taskwait_complete) {
    if (EXPECT(t->flags & ompt_task_taskwait && !next, "task_schedule: no taskwait is complete")) {
      grammar_task_over(t);
    }
    return;
  }
  struct task *to = grammar_task(next, "task_schedule next");
  if (to && t->state == RUNS && !((t->flags | to->flags) & ompt_task_initial))
    stack_changes(t, to);
  if (!to || !EXPECT(to != t, "task_schedule: from a task to itself"))
    return;
  task_enters(me, to);
  me->task = t; /* until it is left */
  task_leaves(me, t, status);
  me->task = to;
}

/* --- waits --- */

static bool is_barrier(int kind) {
  return kind <= ompt_sync_region_barrier_implementation || kind >= ompt_sync_region_reduction;
}

static void barrier_begins(struct task *t) {
  EXPECT(!(t->flags & ompt_task_explicit), "a barrier in an explicit task");
  t->barriers++;
  atomic_fetch_add(&t->region->arrived, 1);
}

static void barrier_ends(struct task *t) {
  struct region *r = t->region;
  if (r->pid == getpid() && atomic_load(&r->arrived) < t->barriers * atomic_load(&r->size))
    atomic_store(&r->early, true);
}

static void wait_ends(struct task *t, int kind) {
  if (t->pid != getpid())
    return; /* forked: the tasks are the parent's */
  if (is_barrier(kind))
    barrier_ends(t);
  else if (kind == ompt_sync_region_taskwait)
    EXPECT(atomic_load(&t->children) == 0, "taskwait: %ld children are not complete",
           atomic_load(&t->children));
  else if (t->group && t->group->pid == getpid())
    EXPECT(atomic_load(&t->group->tasks) == 0, "taskgroup: %ld tasks are not complete",
           atomic_load(&t->group->tasks));
}

/* A wait has an address where the task has met the construct: all but the slaves' one at the end of
 * their region. */
static bool address_fits(const struct task *t, int kind, const void *ra) {
  bool joins = kind == ompt_sync_region_barrier_implicit_parallel;
  return joins && t->number > 0 ? !ra : ra != 0;
}

static void sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t at,
                             ompt_data_t *parallel, ompt_data_t *task, const void *ra) {
  struct thread *me = grammar_runs(task, "sync_region_wait");
  (void)parallel;
  if (!me)
    return;
  EXPECT(address_fits(me->task, kind, ra), "sync_region_wait %d: address %p", kind, ra);
  if (at == ompt_scope_begin) {
    EXPECT(me->task->opens > 0 &&
               me->task->open[me->task->opens - 1].event == ompt_callback_sync_region,
           "sync_region_wait %d outside its sync_region", kind);
    grammar_push(me->task, ompt_callback_sync_region_wait, (int)kind, 0);
    if (is_barrier(kind))
      barrier_begins(me->task);
  } else if (grammar_pop(me->task, ompt_callback_sync_region_wait, (int)kind, 0)) {
    wait_ends(me->task, kind);
  }
}

static void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel,
                        ompt_data_t *task, const void *ra) {
  struct thread *me = grammar_runs(task, "sync_region");
  struct task *t = me ? me->task : 0;
  if (!t)
    return;
  EXPECT(address_fits(t, kind, ra), "sync_region %d: address %p", kind, ra);
  EXPECT(at == ompt_scope_end || parallel == t->region->data || t->pid != getpid(),
         "sync_region %d: another region", kind);
  if (at == ompt_scope_begin) {
    grammar_push(t, ompt_callback_sync_region, (int)kind, 0);
    if (kind == ompt_sync_region_taskgroup) {
      struct group *g = grammar_new(sizeof *g);
      g->outer = t->group;
      g->pid = getpid();
      t->group = g;
    }
    return;
  }
  grammar_pop(t, ompt_callback_sync_region, (int)kind, 0);
  if (kind == ompt_sync_region_taskgroup && t->group) {
    struct group *g = t->group;
    t->group = g->outer;
    grammar_free(g, sizeof *g);
  }
}

/* --- the tool --- */

static void set(ompt_callbacks_t event, ompt_callback_t callback) {
  EXPECT(set_callback(event, callback) >= ompt_set_sometimes, "event %d cannot be had", event);
}

static int start(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
  grammar_model_begin();
  grammar_asks_begin(lookup);
  grammar_locks_begin(set);
  grammar_work_begin(set);
  set(ompt_callback_thread_begin, (ompt_callback_t)thread_begin);
  set(ompt_callback_thread_end, (ompt_callback_t)thread_end);
  set(ompt_callback_parallel_begin, (ompt_callback_t)parallel_begin);
  set(ompt_callback_parallel_end, (ompt_callback_t)parallel_end);
  set(ompt_callback_implicit_task, (ompt_callback_t)implicit_task);
  set(ompt_callback_task_create, (ompt_callback_t)task_create);
  set(ompt_callback_task_schedule, (ompt_callback_t)task_schedule);
  set(ompt_callback_dependences, (ompt_callback_t)dependences);
  set(ompt_callback_task_dependence, (ompt_callback_t)task_dependence);
  set(ompt_callback_sync_region, (ompt_callback_t)sync_region);
  set(ompt_callback_sync_region_wait, (ompt_callback_t)sync_region_wait);
  return 1;
}

static void end(ompt_data_t *data) {
  char line[128];
  unsigned long faults = atomic_load(&grammar_faults);
  const char *log = getenv("GRAMMAR_LOG");
  (void)data;
  int n = snprintf(line, sizeof line, "ompt: %lu events, %lu faults\n",
                   atomic_load(&grammar_events), faults);
  int to = log ? open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : STDERR_FILENO;
  if (to >= 0 && write(to, line, (size_t)n) < 0)
    perror("GRAMMAR_LOG");
  if (to >= 0 && log)
    close(to);
  if (faults) {
    fflush(stdout);
    _exit(99);
  }
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
  static ompt_start_tool_result_t result = {start, end, {0}};
  return omp_version >= 201811 && runtime_version ? &result : 0;
}
