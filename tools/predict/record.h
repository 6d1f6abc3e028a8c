/* record.h - what the parts of the recorder share: events, the clock, the way to the runtime
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why     `nanogomp predict` replays a program on machines that are not at hand. The recorder is
 *         preloaded, so neither program nor runtime know of it: it has the names of the compiler's
 *         entries (GOMP_*), writes down that one was called, and calls the next library's.
 * Use     rec_note() before and after each call of the runtime. Time between the event after one
 *         call and the event before the next is the program's own work.
 * Clock   ticks of the CPU's counter, in picoseconds. Where two events lie far apart, the CPU time
 *         of the thread counts instead: what others did on this CPU is left out. What an event
 *         costs has been measured at the start and is taken off.
 * File    struct rec_head, then for each thread a rec_event of kind REC_THREAD and its events.
 *         tools/nanogomp_lib/predict_trace.py reads it; both files hold the same numbers.
 */
#ifndef NTH_PREDICT_RECORD_H
#define NTH_PREDICT_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What happened. Beside each: small; a; b. ENTER: the program calls; LEAVE: it goes on. */
enum rec_kind {
  REC_THREAD = 1,      /* number of events in a; the thread's number in b */
  REC_REGION_ENTER,    /* num_threads clause; the region's number; function */
  REC_REGION_LEAVE,    /* -; the region's number; - */
  REC_MEMBER_BEGIN,    /* member's number; the region's number; team size */
  REC_MEMBER_END,      /* -; the region's number; - */
  REC_BARRIER_ENTER,   /* - */
  REC_BARRIER_LEAVE,   /* - */
  REC_SINGLE_ENTER,    /* - */
  REC_SINGLE_LEAVE,    /* whether this member has the block */
  REC_LOOP_ENTER,      /* enum rec_schedule; iterations; chunk */
  REC_NEXT_ENTER,      /* - */
  REC_CHUNK,           /* -; first iteration, from 0; iterations, 0: none left */
  REC_LOOP_END_ENTER,  /* 1: nowait */
  REC_LOOP_END_LEAVE,  /* - */
  REC_TASK_ENTER,      /* flags of enum rec_task; the task's number; function */
  REC_DEPEND,          /* kind as in omp_depend_t; address; the task's number, 0: of a taskwait */
  REC_TASK_LEAVE,      /* -; the task's number; - */
  REC_TASK_BEGIN,      /* 1: of the taskloop in a; the task's number; iterations */
  REC_TASK_END,        /* -; the task's number; - */
  REC_WAIT_ENTER,      /* dependences that follow, 0: waits for all children */
  REC_WAIT_LEAVE,      /* - */
  REC_GROUP_BEGIN,     /* - */
  REC_GROUP_END_ENTER, /* - */
  REC_GROUP_END_LEAVE, /* - */
  REC_CRITICAL_ENTER,  /* 1: ordered; address of the name's lock; - */
  REC_CRITICAL_LEAVE,  /* the same; the same; -: it holds the lock */
  REC_RELEASE_ENTER,   /* -; the same; - */
  REC_RELEASE_LEAVE,   /* -; the same; - */
  REC_SPLIT,           /* 0: omp_get_thread_num, 1: omp_get_num_threads was called */
  REC_POST,            /* -; a doacross iteration: the outermost loop's number; its place inside */
  REC_SINK,            /* -; the iteration that is waited for, as of REC_POST */
  REC_KINDS
};

enum rec_schedule {
  REC_STATIC = 1,
  REC_DYNAMIC = 2,
  REC_GUIDED = 3,
  REC_GSS = 4, /* the classic form of guided */
  REC_SECTIONS = 5,
  REC_ORDERED = 16, /* a flag */
  REC_DOACROSS = 32 /* a flag */
};

enum rec_task {
  REC_UNDEFERRED = 1,
  REC_FINAL = 2,
  REC_UNTIED = 4,
  REC_DETACH = 8,
  REC_TASKLOOP = 16,
  REC_NOGROUP = 32
};

struct rec_event {
  uint64_t time; /* ps of this thread's CPU time, the recorder's own cost taken off */
  uint32_t kind;
  uint32_t small;
  uint64_t a, b;
};
_Static_assert(sizeof(struct rec_event) == 32, "predict_trace.py reads 32 bytes");

struct rec_head {
  char magic[8];
  uint64_t cpu_ns;   /* the process, from the recorder's start */
  uint64_t wall_ns;  /* the same, by the wall clock */
  uint64_t event_ps; /* what has been taken off for each event */
  uint64_t lost;     /* events for which there was no room */
  uint64_t threads;
  uint64_t serial; /* 1: every team had one member */
  uint64_t end_ps; /* the clock of the thread that ended the process */
};

enum { REC_DIMENSIONS = 8 }; /* of a doacross loop; the order of deeper ones is not recorded */

/* A loop that this thread is in; pieces of what the runtime gave are handed out one by one. */
struct rec_loop {
  uint64_t first, step;  /* value of iteration 0; step, modulo 2^64 */
  uint64_t at, last;     /* iterations that the runtime gave and that are left: [at, last) */
  uint64_t last_end;     /* the end of the last one, as the runtime gave it */
  uint64_t piece;        /* iterations of a piece, 0: as the runtime gives them */
  uint64_t least;        /* a piece of a loop with many iterations has so many */
  uint64_t handed;       /* iterations of the piece that the program has */
  uint64_t clock, noted; /* when that began, in ps; the thread's events until then */
  uint64_t counts[REC_DIMENSIONS]; /* of a doacross loop */
  unsigned dimensions;             /* 0: no doacross loop */
  bool is_up, is_set;
};

/* What the program's course hangs on: it is there even where there is no memory for events. */
struct rec_own {
  struct rec_loop loop;
  uint64_t asked;        /* bits of REC_SPLIT that are noted already */
  uint64_t clock, noted; /* ps at the last event; how many events */
  uint64_t number;       /* the next one; a multiple of NUMBERS: there is none left */
};

/* Writes an event into the thread's buffer; counts it only if there is no room. */
void rec_note(enum rec_kind kind, uint32_t small, uint64_t a, uint64_t b);
/* The same after a call that may have waited: the clock starts anew. */
void rec_note_after(enum rec_kind kind, uint32_t small, uint64_t a, uint64_t b);
/* After a call that may have waited, without an event: the clock starts anew. */
void rec_go_on(void);
struct rec_own *rec_self(void); /* this thread's; never NULL */
void rec_say_no_memory(void);
uint64_t rec_number(void); /* a new number, from 1 on */
bool rec_is_serial(void);  /* every team gets one member */
void *rec_next(const char *name, void **kept);

/* The next library's entry of this name and type, looked up once. */
#define REC_REAL(type, name)                                                                       \
  static void *kept_##name;                                                                        \
  __typeof__(type) *real = (__typeof__(type) *)rec_next(#name, &kept_##name)

#define REC_ENTRY __attribute__((visibility("default")))

/* record_loops.c: sets the thread's loop before a region's function runs, or at a loop's start. */
struct rec_range {
  uint64_t start, end, step, chunk;
  uint32_t schedule; /* enum rec_schedule, 0: as OMP_SCHEDULE says */
  bool is_up;
};
void rec_loop_open(struct rec_range r);

#endif
