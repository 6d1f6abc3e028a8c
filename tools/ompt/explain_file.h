/* explain_file.h - the file in which the tool of `nanogomp run --explain` counts
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A program may end by a signal, _exit() or exec, and what was seen until then must be
 *             there all the same. So the counts lie in a file that is mapped into the process.
 *             tools/nanogomp_lib/explain_file.py reads it when the process is gone, and has the
 *             same layout
 * Layout      NTH_EXPLAIN/PID: struct exp_head in EXP_HEAD_BYTES, then struct exp_me of each member
 *             in EXP_ME_BYTES. NTH_EXPLAIN/PID.maps: /proc/PID/maps, by which the places are found
 * Invariants  I1  `is_made` of a member is written last: before it, the rest is zeros
 *             I2  a member writes its own notes only. The head's counts are atomic, all relaxed:
 *                 they are read when the program has ended
 *             I3  a child of fork() has pages of its own, and no file
 * Cost        48 KiB of the file for a member, reserved before they are touched: on a full disk
 *             that fails, where a store into a hole of the file would end the program
 */
#ifndef NTH_OMPT_EXPLAIN_FILE_H
#define NTH_OMPT_EXPLAIN_FILE_H

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tools/ompt/explain_table.h"

#define EXP_MAGIC "nthexpl4"
enum {
  EXP_DEEP = 16, /* nested regions; deeper ones are not counted */
  EXP_LOCKS = 8, /* held locks */
  EXP_HEAD_BYTES = 4096,
  EXP_ME_BYTES = 12 * 4096
};

struct exp_head {
  char magic[8];
  uint64_t begun, ended;                 /* ticks; ended 0: not by exit() */
  uint64_t ticks_first, ns_first;        /* a pair of times; ns: CLOCK_MONOTONIC */
  uint64_t ticks_now, ns_now;            /* a later one; w: with the lock of explain_file.c */
  uint64_t cpus, online;                 /* CPUs of the affinity mask, of the machine */
  exp_count most, outer, changes, sizes; /* sizes: the last two different ones, 32 bits each */
};

struct exp_task { /* an implicit task; times are ticks */
  uint64_t code, since, waited;
  uint64_t works_since, worked; /* when its work went on, 0: it waits; what it worked before */
  uint64_t pauses;              /* waits and regions inside */
  uint64_t slept;               /* in its work */
};

/* A look at the CPU time of an OS thread. */
struct exp_look {
  uint64_t at;     /* ticks */
  uint64_t cpu;    /* ns */
  uint64_t work;   /* ticks of short work since, which counted without a look */
  uint64_t thread; /* its number */
};

struct exp_held {
  uint64_t lock, code, since;
};

struct exp_me { /* a member's notes */
  uint64_t is_made;
  uint64_t depth; /* of tasks */
  uint64_t opens; /* regions that it has opened as their master */
  uint64_t wait_since, lock_since, lock_code, last_size;
  struct exp_task tasks[EXP_DEEP];
  uint64_t opened[EXP_DEEP], opened_row[EXP_DEEP]; /* since when; the row's number */
  struct exp_held held[EXP_LOCKS];
  struct exp_look look;
  uint64_t cpu_end; /* of the look's thread, at exit(), ns; 0: unknown. w: who ends the process */
  struct exp_table table;
  /* for the process only: */
  struct exp_me *next;
  uint64_t began_on;            /* the OS thread */
  struct exp_task *lock_task;   /* whose work rests while it waits for a lock */
  uint64_t left;                /* when it left the last region as its master */
  uint64_t locked;              /* of the work that goes on: ticks of waits for locks */
  uint64_t ready, ready_thread; /* explain_work.c: the last look at the time without a CPU */
};
static_assert(sizeof(struct exp_me) <= EXP_ME_BYTES, "it has its place");

extern struct exp_head *exp_head;

/* Makes the file in the folder. False: there is none, which has been said. */
bool exp_file_begin(const char *folder);
/* A new member's notes, all zero but is_made; NULL: no memory. Where the file has no room they are
 * not in it, which is said once. */
struct exp_me *exp_file_member(void);
/* Makes sure that the file's maps have the address. Takes a lock; not for each event. */
void exp_file_place(uint64_t code);
/* Notes a pair of times, unless another member does. */
void exp_file_pair(void);
/* The process ends by exit(). */
void exp_file_end(void);

#endif
