/* model.h - what the grammar tool believes of threads, regions and tasks, made of events only
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         grammar.c compares each event, and what the entry points answer, with this model
 * Use         data->ptr of a thread, region or task is its object here
 * Invariants  I1  an object's kind is its own until it is freed; freed memory has another one, so
 *                 an event with data that are over is found
 *             I2  a task or thread is written by the thread that runs it. Counts that others change
 *                 are atomic
 */
#ifndef GRAMMAR_MODEL_H
#define GRAMMAR_MODEL_H

#include <omp-tools.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

enum kind { THREAD = 0x7468, REGION = 0x7265, TASK = 0x7461, FREED = 0x6672 };

/* A begin whose end is to come. */
struct open {
  int event, kind; /* the callback's number; kind of region or construct */
  const void *of;  /* the region of a parallel_begin; the group of a taskgroup */
};
enum { OPENS = 192, HELD = 16 };

/* Tasks that a taskgroup waits for. */
struct group {
  struct group *outer;
  pid_t pid;
  atomic_long tasks;
};

/* A lock that a task has. */
struct held {
  ompt_wait_id_t id;
  int depth; /* of a nestable lock */
};

struct region {
  enum kind kind;
  ompt_data_t *data;
  struct task *from;        /* the encountering task; NULL: an initial task's */
  unsigned wanted;          /* requested_parallelism; 0: an initial task's */
  int flags;                /* of parallel_begin */
  pid_t pid;                /* of the process that began it */
  atomic_uint size;         /* 0: not known yet */
  atomic_uint begun, ended; /* implicit tasks */
  atomic_ulong seen[64];    /* the numbers of those that have begun, up to 4096 */
  atomic_ulong arrived;     /* at barriers, all members together */
  atomic_long tasks;        /* explicit tasks that are not complete */
  atomic_bool cancelled;    /* a member told that it is */
  atomic_bool early;        /* a barrier let somebody out too early, if not cancelled */
};

enum state { CREATED, RUNS, WAITS, DETACHED, DONE };

struct task {
  enum kind kind;
  ompt_data_t *data;
  struct region *region;
  struct task *maker;  /* of an explicit task; it lives as long as this one */
  struct task *below;  /* what its thread left for it; NULL: nothing */
  struct task *bottom; /* of a suspended task: the lowest one on its stack; NULL: it waits below */
  pid_t pid;           /* of the process that began it */
  struct thread *thread; /* that runs it, or ran it last */
  struct group *group;   /* innermost taskgroup */
  int flags;
  unsigned number; /* thread number in the region */
  enum state state;
  bool fulfilled;
  bool cancelled;         /* it, its group or region: constructs may stay open */
  unsigned long barriers; /* that it began */
  atomic_long children;   /* tasks made and not complete */
  atomic_long uses;       /* itself and the tasks that name it as maker */
  int opens, locks;
  struct open *open; /* opens of OPENS; NULL: none was open yet, since programs make many tasks */
  struct held *held; /* locks of HELD; NULL likewise */
  ompt_wait_id_t acquiring; /* between acquire and acquired; 0: none */
  int acquiring_kind;
};

struct thread {
  enum kind kind;
  ompt_data_t *data;
  ompt_thread_t type;
  bool ended;
  struct task *task;                  /* that it runs; NULL: none */
  _Atomic(ompt_wait_id_t) must_leave; /* another thread was told that it has this lock: the next
                                       * event of this one is its release */
};

/* --- model.c --- */

extern atomic_ulong grammar_events, grammar_faults;
extern ompt_get_thread_data_t grammar_thread_data;

/* A rule is broken: one line, for the first ones. */
__attribute__((format(printf, 1, 2))) void grammar_fault(const char *format, ...);
#define EXPECT(condition, ...) ((condition) || (grammar_fault(__VA_ARGS__), false))

void grammar_model_begin(void);
void *grammar_new(size_t size); /* zeroed; at most 4 KiB */
void grammar_free(void *object, size_t size);

/* The objects behind a tool's data; NULL, with a fault, if there is none. */
struct thread *grammar_thread(const char *event);
struct region *grammar_region(ompt_data_t *data, const char *event);
struct task *grammar_task(ompt_data_t *data, const char *event);
/* An explicit task's end: nobody waits for it any longer. */
void grammar_task_over(struct task *t);
/* One that names the task is over; the last one frees it. */
void grammar_task_leave(struct task *t);

void grammar_push(struct task *t, int event, int kind, const void *of);
/* The end of what was begun last; false, with a fault: that was something else. */
bool grammar_pop(struct task *t, int event, int kind, const void **of);

/* --- locks.c --- */

void grammar_locks_begin(void (*set)(ompt_callbacks_t event, ompt_callback_t callback));

/* --- work.c --- */

void grammar_work_begin(void (*set)(ompt_callbacks_t event, ompt_callback_t callback));

/* --- grammar.c --- */

/* The calling thread, which runs the task of that data. NULL, with a fault: it runs another. */
struct thread *grammar_runs(ompt_data_t *data, const char *event);

/* --- asks.c --- */

void grammar_asks_begin(ompt_function_lookup_t lookup);
/* Compares what the entry points say with the model. */
void grammar_ask(struct thread *me, const char *event);
int grammar_state(void);

#endif
