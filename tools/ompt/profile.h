/* profile.h - the tool of `nanogomp profile`: where the time of each member goes
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         docs/profile.md. A program shall be told, by line of its source, what its members do:
 *             work, wait (for what), or be in the runtime
 * Use         OMP_TOOL_LIBRARIES=libnanogomp-profile.so; `nanogomp profile` sets it.
 *             NTH_PROFILE_DIR: the folder for the file of each process; NTH_PROFILE_PAPI: events,
 *             with commas between
 * How         A member is in one state at one node (profile_file.h). An event that changes either
 *             adds the time since the last one to the cell of both. So a member's cells always add
 *             up to its life. What a task is about is one word, its ompt_data_t: the node whose
 *             work it does. Nothing is kept for a task that waits to be run
 * Invariants  I1  a member's callbacks run on its thread: what belongs to it has no lock. Its
 *                 thread-local storage is its own, too, when it shares an OS thread with others
 *             I2  prof_me.task is the current task; its data points to a node
 *             I3  frames are the tasks that the member has left for others, the last one on top
 *             I4  a slave's part of a region is settled at the member's next event but the wait at
 *                 the region's end. So it reads the master's line when that has come, and not while
 *                 it begins
 * Orders      F   forked, cleared -> events of the child: it has a file and rows of its own
 *             R   the head's roots, by a writer of `inside` -> the next writer: its value
 * Cost        a region of two members: four times of day at the master, three at a slave
 * Tested by   tests/tool/test_profile.py
 */
#ifndef NTH_OMPT_PROFILE_H
#define NTH_OMPT_PROFILE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/omp/tool/omp-tools.h"
#include "tools/ompt/profile_file.h"

#define prof_unlikely(x) __builtin_expect((x), 0)

/* A task that the member left for another one. */
struct prof_frame {
  ompt_data_t *task;
  struct prof_cell *cell;
  uint32_t state;
};

/* A lock that the member has. */
struct prof_held {
  ompt_wait_id_t lock;
  uint64_t since;
  struct prof_cell *cell;
};
enum { PROF_HELD = 16 }; /* locks that a member has at once; of more the time is not known */

/* An entry of a member's table: from what events say to its cell. cell NULL: free. */
struct prof_entry {
  uint64_t site, caller;
  struct prof_node *up;
  uint32_t kind;
  struct prof_cell *cell;
};

/* Where the caller of a region's function was found; profile_path.c. */
struct prof_path {
  uint64_t site, frame, caller;
  uint64_t slot; /* from the frame to the word of the stack that holds `caller`; 0: not found */
  uint64_t top;  /* from the frame to here the unwinder has gone */
  struct prof_node *up; /* what the region was in, and the member's cell for both */
  struct prof_cell *cell;
};
enum { PROF_PATHS = 64 };

/* Counters of one OS thread; profile_papi.c. Files: profile_count.c. */
enum { PROF_FILES = 2 * PROF_EVENTS };
struct prof_counters {
  uint64_t tid;
  uint32_t sets; /* event sets that are started */
  int handles[PROF_EVENTS];
  int64_t before[PROF_EVENTS];
  int64_t own[PROF_EVENTS]; /* events of a reading itself */
  bool shared;              /* of the process, read by any thread; not of one thread */
  bool fresh;               /* `before` was read just now */
  uint64_t spent;           /* ticks for reading them */
  bool off;                 /* they cannot be read */
  bool lost;                /* their files are closed; the numbers may be the program's own now */
  uint32_t files;
  int numbers[PROF_FILES];
  uint64_t ids[PROF_FILES]; /* which counter is behind a number, by the kernel's names */
};

/* What a member has for itself. */
struct prof_me {
  struct prof_row *row;
  struct prof_cell *cell; /* where time goes since row->since */
  uint32_t state;
  bool open; /* events are counted since row->since */
  struct prof_bin *bin;
  uint64_t bin_end; /* ticks */
  ompt_data_t *task;
  ompt_data_t *parallel;    /* while row->late: the region's */
  struct prof_cell *region; /* of the last region that it was in as a slave; NULL: none */
  uint32_t eager;           /* regions that are settled at once */
  struct prof_cell **cells; /* by node */
  uint32_t cells_size;
  uint32_t table_size, table_used; /* size: a power of two */
  struct prof_entry *table;
  struct prof_frame *frames;
  uint32_t frames_size, frames_used, helds_used;
  struct prof_held helds[PROF_HELD];
  struct prof_path paths[PROF_PATHS];
  uint32_t walks;                  /* times that the unwinder was asked */
  bool stack_known;                /* these are looked up: */
  uint64_t stack_begin, stack_end; /* the thread's stack; 0: not known */
  struct prof_counters counters;
  bool inside;               /* it has a region open that is in no other, */
  struct prof_node *counted; /* this one; with the lock of profile_process.c */
  struct prof_me *earlier;   /* in the list there of those that have one */
  struct prof_me *next;      /* in the list of all, or of those whose thread has ended */
};

struct prof {
  struct prof_head *head;
  struct prof_node *root;
  _Atomic(bool) counts;      /* there are events to be counted */
  _Atomic(bool) shares;      /* there are events of the process to be counted */
  _Atomic(bool) pending;     /* events that may be known when the program has begun */
  _Atomic(bool) forked;      /* a child of fork() that has no file of its own yet; F */
  struct prof_me *forker;    /* with `forked`: the member that called fork(); NULL: none did */
  uint64_t second;           /* ticks, roughly */
  _Atomic(uint64_t) pair_at; /* ticks of the last pair of times */
  pthread_mutex_t lock;      /* for all below, and for what is made in the file */
  struct prof_node **nodes;  /* by number */
  uint32_t nodes_used, rows_used;
  struct prof_me *resting; /* members whose thread has ended */
};
extern struct prof prof;

/* --- the file: profile_store.c --- */

/* Makes the file and the first node. False: there is none, which has been said. */
bool prof_store_begin(void);
/* Memory in the file for a record, all zero but its size; NULL: no room. Takes no lock: the caller
 * has prof.lock. The caller writes `type` when it is complete. */
void *prof_store_record(size_t bytes);
/* Memory beside the file, all zero; never freed. NULL: none. */
void *prof_private(size_t bytes);
/* Twice the memory for an array that is full; false: none. */
bool prof_grow(void *array, uint32_t *size, size_t item, uint32_t first);
/* Writes the module map. */
void prof_store_maps(void);
/* Whether the map that was written has the address. */
bool prof_store_mapped(uint64_t address);
/* The profile's time begins. */
void prof_store_zero(void);
/* A pair of ticks and time; the caller has prof.lock, or is alone. */
void prof_store_pair(void);
/* In a child of fork(): a file of its own; the caller has prof.lock. */
void prof_store_child(void);
/* One line on stderr. */
__attribute__((format(printf, 1, 2))) void prof_say(const char *format, ...);

/* --- nodes and cells: profile_site.c --- */

/* The caller's cell for a construct of `up`; NULL: no room. */
struct prof_cell *prof_find(struct prof_me *m, uint32_t kind, const void *site, uint64_t caller,
                            struct prof_node *up);
struct prof_cell *prof_cell_slow(struct prof_me *m, struct prof_node *node);
static inline struct prof_cell *prof_cell_of(struct prof_me *m, struct prof_node *node) {
  struct prof_cell *c = node->id < m->cells_size ? m->cells[node->id] : 0;
  return c ? c : prof_cell_slow(m, node);
}
/* Makes the node of what is outside regions. False: no room. */
bool prof_site_begin(void);
struct prof_me *prof_member_begin(bool is_initial);
void prof_member_end(struct prof_me *m);

/* --- the time line: profile_line.c --- */

/* Adds an interval that ends beyond the current bin. */
void prof_line_slow(struct prof_me *m, uint64_t from, uint64_t to);

/* --- who called: profile_path.c --- */

/* The caller's cell of the region whose call of the library returns to `site`, in `up`. Its node
 * tells where the function with the region was called. frame: the library's, by which the place in
 * the stack is known again; NULL: unknown. */
struct prof_cell *prof_region(struct prof_me *m, const void *site, const void *frame,
                              struct prof_node *up);

/* --- counters: profile_papi.c --- */

/* Reads what is to be counted; at the start, and again when the program opens its first region. */
void prof_papi_begin(void);
void prof_papi_again(void);
/* At the end: says what could not be counted. */
void prof_papi_end(void);
/* Intervals of a node that are read whatever it takes; of others no more than that share of the
 * member's work there. */
enum { PROF_FIRST = 4, PROF_SHARE = 100 };
/* Whether counting has taken so much time at the node that the next interval is not read. */
static inline bool prof_papi_spent(const struct prof_cell *c) {
  return c->samples >= PROF_FIRST && c->spent * PROF_SHARE > c->ticks[PROF_WORK];
}
/* An interval of work begins, in which events are to be counted; it ends. */
void prof_papi_open(struct prof_me *m);
void prof_papi_close(struct prof_me *m, uint64_t ticks);
void prof_papi_leave(struct prof_me *m);

/* --- the process: profile_process.c --- */

/* A member has opened a region outside all others; has left it, or its thread ends. */
void prof_process_enter(struct prof_me *m, struct prof_node *region, uint64_t now);
void prof_process_leave(struct prof_me *m, uint64_t now);
/* In a child of fork(): no region is open; the caller has prof.lock. */
void prof_process_child(void);
/* The profile begins: counts the events of the process that are known by now. */
void prof_process_begin(void);
/* At the end: counts the last ones. */
void prof_process_end(void);

/* --- callbacks: profile_events.c, profile_region.c --- */

bool prof_events_register(ompt_function_lookup_t lookup);
/* The calling member; NULL: none, or there was no room for it. */
struct prof_me *prof_events_caller(void);

#endif
