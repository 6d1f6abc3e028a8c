/* record_tasks.c - tasks with their dependences, taskloops, taskwait and taskgroup
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A task runs task_run() in place of its function. In its data a struct task_head goes before the
 * program's own data, so the number travels with the task wherever the runtime copies it.
 */
#include "record.h"

#include <stdlib.h>
#include <string.h>

typedef void rec_fn(void *);
typedef void rec_copy(void *, void *);

enum { FLAG_UNTIED = 1, FLAG_FINAL = 2, FLAG_DEPEND = 8, FLAG_GRAINSIZE = 0x200, FLAG_IF = 0x400 };
enum { FLAG_NOGROUP = 0x800, FLAG_REDUCTION = 0x1000, FLAG_DETACH = 0x2000 };
enum { ON_STACK = 1024, LOOP_TASKS = 256 };

struct task_head {
  uint64_t words[3]; /* the runtime writes into the first words of a task's data */
  uint64_t number;
  rec_fn *fn;
  rec_copy *copy;
  void *data;    /* the program's: source of copy, or what an undeferred task gets */
  uint32_t size; /* of this struct, rounded up; 0: data is used as it is */
  uint8_t words_used;
  bool is_loop;
};

static void depend_one(uint32_t kind, const void *address, uint64_t task) {
  rec_note(REC_DEPEND, kind, (uint64_t)(uintptr_t)address, task);
}

/* Notes each dependence; returns how many. The array has two layouts: addresses from [2] on with
 * the number of out ones in [1]; and, if [0] is 0, counts in [1] to [4] and addresses from [5] on,
 * the last of which are of omp_depend_t objects: address and kind. */
static uint32_t depend_count(void **depend) {
  return (uint32_t)(uintptr_t)(depend[0] ? depend[0] : depend[1]);
}

static void depend_note(void **depend, uint64_t task) {
  enum { IN = 1, INOUT = 3, MUTEX = 4 };
  size_t count = depend_count(depend);
  bool old = depend[0] != NULL;
  size_t out = (uintptr_t)depend[old ? 1 : 2];
  size_t mutex = old ? 0 : (uintptr_t)depend[3];
  size_t in = old ? count - out : (uintptr_t)depend[4];
  void **at = depend + (old ? 2 : 5);
  for (size_t i = 0; i < count; i++) {
    if (i < out)
      depend_one(INOUT, at[i], task);
    else if (i < out + mutex)
      depend_one(MUTEX, at[i], task);
    else if (i < out + mutex + in)
      depend_one(IN, at[i], task);
    else
      depend_one((uint32_t)(uintptr_t)((void **)at[i])[1], ((void **)at[i])[0], task);
  }
}

static void task_run(void *argument) {
  struct task_head *head = argument;
  void *data = head->size ? (char *)argument + head->size : head->data;
  if (head->words_used)
    memcpy(data, head->words, head->words_used * sizeof *head->words);
  uint64_t number = head->number, count = 0;
  struct rec_loop loop = rec_self()->loop; /* copied outside of the task's time */
  if (head->is_loop) {
    count = head->words[1] - head->words[0];
    rec_note_after(REC_TASK_BEGIN, 1, number, count);
  } else {
    rec_note_after(REC_TASK_BEGIN, 0, number, 0);
  }
  head->fn(data);
  rec_note(REC_TASK_END, 0, number, 0);
  rec_self()->loop = loop;
}

static void task_copy(void *to, void *from) {
  const struct task_head *head = from;
  memcpy(to, head, sizeof *head);
  head->copy((char *)to + head->size, head->data);
}

/* What the runtime gets in place of the program's data. */
struct wrapped {
  char memory[ON_STACK] __attribute__((aligned(64)));
  void *heap;
  struct task_head *head;
  long size, align;
};

/* False without memory: then the runtime gets the program's data, and the task's time is lost. */
static bool wrap(struct wrapped *w, const struct task_head *like, long arg_size, long arg_align,
                 bool takes_copy) {
  size_t align = arg_align > 64 ? (size_t)arg_align : 64;
  size_t front = (sizeof *like + align - 1) / align * align;
  size_t whole = takes_copy ? front + (size_t)arg_size : front;
  size_t here = like->copy ? front : whole;
  w->heap = NULL;
  w->head = (struct task_head *)w->memory;
  if (here > ON_STACK || align > 64) {
    if (posix_memalign(&w->heap, align, here) != 0) {
      w->heap = NULL;
      rec_say_no_memory();
      return false;
    }
    w->head = w->heap;
  }
  *w->head = *like;
  w->head->size = takes_copy ? (uint32_t)front : 0;
  w->size = (long)whole;
  w->align = (long)align;
  if (takes_copy && !like->copy && arg_size > 0)
    memcpy((char *)w->head + front, like->data, (size_t)arg_size);
  return true;
}

REC_ENTRY void GOMP_task(rec_fn *fn, void *data, rec_copy *cpyfn, long arg_size, long arg_align,
                         bool if_clause, unsigned flags, void **depend, int priority,
                         void *detach) {
  REC_REAL(void(rec_fn *, void *, rec_copy *, long, long, bool, unsigned, void **, int, void *),
           GOMP_task);
  uint64_t number = rec_number();
  uint32_t small = (if_clause ? 0 : REC_UNDEFERRED) | (flags & FLAG_FINAL ? REC_FINAL : 0) |
                   (flags & FLAG_UNTIED ? REC_UNTIED : 0) | (flags & FLAG_DETACH ? REC_DETACH : 0);
  rec_note(REC_TASK_ENTER, small, number, (uint64_t)(uintptr_t)fn);
  if (flags & FLAG_DEPEND)
    depend_note(depend, number);
  struct task_head like = {.number = number, .fn = fn, .copy = cpyfn, .data = data};
  like.words_used = flags & FLAG_DETACH && data ? 1 : 0;
  struct wrapped w;
  depend = flags & FLAG_DEPEND ? depend : NULL;
  if (wrap(&w, &like, arg_size, arg_align, if_clause || cpyfn))
    real(task_run, w.head, cpyfn ? task_copy : NULL, w.size, w.align, if_clause, flags, depend,
         priority, detach);
  else
    real(fn, data, cpyfn, arg_size, arg_align, if_clause, flags, depend, priority, detach);
  free(w.heap);
  rec_note_after(REC_TASK_LEAVE, 0, number, 0);
}

/* --- taskloop --- */

static struct task_head loop_head(rec_fn *fn, void *data, rec_copy *cpyfn, unsigned flags,
                                  uint64_t number) {
  struct task_head like = {.number = number, .fn = fn, .copy = cpyfn, .data = data};
  like.is_loop = true;
  like.words_used = flags & FLAG_REDUCTION ? 3 : 2;
  memcpy(like.words, data, like.words_used * sizeof *like.words);
  return like;
}

static uint64_t loop_enter(unsigned flags) {
  uint64_t number = rec_number();
  uint32_t small = REC_TASKLOOP | (flags & FLAG_IF ? 0 : REC_UNDEFERRED) |
                   (flags & FLAG_NOGROUP ? REC_NOGROUP : 0);
  rec_note(REC_TASK_ENTER, small, number, 0);
  return number;
}

/* The runtime's own choice for a team of one would be one task. */
static unsigned long tasks_wanted(unsigned flags, unsigned long num_tasks) {
  return rec_is_serial() && num_tasks == 0 && !(flags & FLAG_GRAINSIZE) ? LOOP_TASKS : num_tasks;
}

#define TASKLOOP(name, type)                                                                       \
  REC_ENTRY void name(rec_fn *fn, void *data, rec_copy *cpyfn, long arg_size, long arg_align,      \
                      unsigned flags, unsigned long num_tasks, int priority, type start, type end, \
                      type step) {                                                                 \
    REC_REAL(void(rec_fn *, void *, rec_copy *, long, long, unsigned, unsigned long, int, type,    \
                  type, type),                                                                     \
             name);                                                                                \
    uint64_t number = loop_enter(flags);                                                           \
    struct task_head like = loop_head(fn, data, cpyfn, flags, number);                             \
    struct wrapped w;                                                                              \
    bool ok = wrap(&w, &like, arg_size, arg_align, true);                                          \
    if (ok)                                                                                        \
      real(task_run, w.head, cpyfn ? task_copy : NULL, w.size, w.align, flags,                     \
           tasks_wanted(flags, num_tasks), priority, start, end, step);                            \
    else                                                                                           \
      real(fn, data, cpyfn, arg_size, arg_align, flags, num_tasks, priority, start, end, step);    \
    free(w.heap);                                                                                  \
    rec_note_after(REC_TASK_LEAVE, 0, number, 0);                                                  \
  }
TASKLOOP(GOMP_taskloop, long)
TASKLOOP(GOMP_taskloop_ull, unsigned long long)

/* --- waits --- */

REC_ENTRY void GOMP_taskwait(void) {
  REC_REAL(void(void), GOMP_taskwait);
  rec_note(REC_WAIT_ENTER, 0, 0, 0);
  real();
  rec_note_after(REC_WAIT_LEAVE, 0, 0, 0);
}

REC_ENTRY void GOMP_taskwait_depend(void **depend) {
  REC_REAL(void(void **), GOMP_taskwait_depend);
  rec_note(REC_WAIT_ENTER, depend_count(depend), 0, 0);
  depend_note(depend, 0);
  real(depend);
  rec_note_after(REC_WAIT_LEAVE, 0, 0, 0);
}

REC_ENTRY void GOMP_taskgroup_start(void) {
  REC_REAL(void(void), GOMP_taskgroup_start);
  rec_note(REC_GROUP_BEGIN, 0, 0, 0);
  real();
}

REC_ENTRY void GOMP_taskgroup_end(void) {
  REC_REAL(void(void), GOMP_taskgroup_end);
  rec_note(REC_GROUP_END_ENTER, 0, 0, 0);
  real();
  rec_note_after(REC_GROUP_END_LEAVE, 0, 0, 0);
}
