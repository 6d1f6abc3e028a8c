/* model.c - objects of the grammar tool, and what it says
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "model.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

atomic_ulong grammar_events, grammar_faults;
ompt_get_thread_data_t grammar_thread_data;

enum { TOLD_FAULTS = 8 };

void grammar_fault(const char *format, ...) {
  char line[512];
  va_list args;
  if (atomic_fetch_add(&grammar_faults, 1) >= TOLD_FAULTS)
    return;
  va_start(args, format);
  int n = snprintf(line, sizeof line, "ompt fault: ");
  n += vsnprintf(line + n, sizeof line - (size_t)n - 1, format, args);
  va_end(args);
  if (n > (int)sizeof line - 2)
    n = (int)sizeof line - 2;
  line[n++] = '\n';
  if (write(STDERR_FILENO, line, (size_t)n) < 0)
    return;
}

/* The tool's own memory: programs under test may have little left, or a heap that is broken. A free
 * object says so, and goes to the list of its size. */
static char arena[(size_t)1 << 30] __attribute__((aligned(64)));
static size_t arena_used;
static struct freed {
  enum kind kind;
  struct freed *next;
} *lists[64];
static pthread_mutex_t arena_lock = PTHREAD_MUTEX_INITIALIZER;

static void lock_arena(void) { pthread_mutex_lock(&arena_lock); }
static void unlock_arena(void) { pthread_mutex_unlock(&arena_lock); }
void grammar_model_begin(void) { pthread_atfork(lock_arena, unlock_arena, unlock_arena); }

void *grammar_new(size_t size) {
  size_t class = (size + 63) / 64;
  lock_arena();
  struct freed *f = lists[class];
  if (f)
    lists[class] = f->next;
  else if (arena_used + class * 64 <= sizeof arena) {
    f = (struct freed *)(arena + arena_used);
    arena_used += class * 64;
  }
  unlock_arena();
  return f ? memset(f, 0, size) : calloc(1, size);
}

void grammar_free(void *object, size_t size) {
  struct freed *f = object;
  size_t class = (size + 63) / 64;
  memset(object, 0, size);
  lock_arena();
  f->kind = FREED;
  f->next = lists[class];
  lists[class] = f;
  unlock_arena();
}

struct thread *grammar_thread(const char *event) {
  ompt_data_t *data = grammar_thread_data();
  struct thread *t = data ? data->ptr : 0;
  atomic_fetch_add_explicit(&grammar_events, 1, memory_order_relaxed);
  if (!EXPECT(t && t->kind == THREAD, "%s on a thread that did not begin", event))
    return 0;
  EXPECT(!t->ended, "%s on a thread that has ended", event);
  EXPECT(t->data == data, "%s: the thread's data have moved", event);
  ompt_wait_id_t must = atomic_load(&t->must_leave);
  EXPECT(!must || strcmp(event, "mutex_released") == 0,
         "%s: the thread has lock %lx, which another one has too", event, (unsigned long)must);
  return t;
}

struct region *grammar_region(ompt_data_t *data, const char *event) {
  struct region *r = data ? data->ptr : 0;
  bool good = EXPECT(r && r->kind == REGION, "%s: no parallel data", event) &&
              EXPECT(r->data == data, "%s: parallel data have moved", event);
  return good ? r : 0;
}

struct task *grammar_task(ompt_data_t *data, const char *event) {
  struct task *t = data ? data->ptr : 0;
  bool good = EXPECT(t && t->kind == TASK, "%s: no task data", event) &&
              EXPECT(t->data == data, "%s: task data have moved", event);
  return good ? t : 0;
}

void grammar_task_leave(struct task *t) {
  if (atomic_fetch_sub(&t->uses, 1) != 1)
    return;
  if (t->open)
    grammar_free(t->open, OPENS * sizeof *t->open);
  if (t->held)
    grammar_free(t->held, HELD * sizeof *t->held);
  grammar_free(t, sizeof *t);
}

void grammar_task_over(struct task *t) {
  struct task *maker = t->maker;
  t->state = DONE;
  t->data->ptr = 0;
  atomic_fetch_sub(&t->region->tasks, 1);
  if (t->group)
    atomic_fetch_sub(&t->group->tasks, 1);
  atomic_fetch_sub(&maker->children, 1);
  grammar_task_leave(t);
  grammar_task_leave(maker);
}

void grammar_push(struct task *t, int event, int kind, const void *of) {
  if (!t->open)
    t->open = grammar_new(OPENS * sizeof *t->open);
  if (EXPECT(t->opens < OPENS, "%d constructs are open in one task", OPENS))
    t->open[t->opens++] = (struct open){event, kind, of};
}

bool grammar_pop(struct task *t, int event, int kind, const void **of) {
  if (!EXPECT(t->opens > 0, "end of event %d kind %d, which did not begin", event, kind))
    return false;
  struct open *o = &t->open[--t->opens];
  if (of)
    *of = o->of;
  if (o->event == event && o->kind == kind)
    return true;
  grammar_fault("end of event %d kind %d where event %d kind %d began last", event, kind, o->event,
                o->kind);
  return false;
}
