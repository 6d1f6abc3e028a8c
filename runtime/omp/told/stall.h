/* stall.h - NTH_STALL: says who waits for whom when no member has moved for long
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A program that hangs is a riddle: a stack of the library's functions does not say
 *             which lock, whose barrier, whose task. With NTH_STALL=seconds the entries of this
 *             room are in use, as with a tool, and each member notes where it is. A thread of the
 *             library's own looks at these notes. If none has changed for so long, and somebody
 *             waits, it writes what each member does on stderr, and names circles: then the
 *             program goes on.
 *             NTH_STALL_SIGNAL=USR1: the same report when that signal comes. Its handler only wakes
 *             the watching thread.
 * Use         nth_stall_move() where a member's state changes; nth_stall_took(), nth_stall_left()
 *             with locks
 * Invariants  a member's notes are its own; the watching thread only reads them. They may be those
 *             of two moments, which at a stall lie long back
 * Orders      L   the list of members: published by a CAS release, read by load-acquire; nothing is
 *                 taken out. A member that has ended is marked, and its notes are used again
 * Cost        off: nothing; on: some ten stores and a look at the clock at each wait
 * Tested by   tests/lit/ompt/stall*.c
 */
#ifndef NTH_OMP_STALL_H
#define NTH_OMP_STALL_H

#include "runtime/omp/tool/tool.h"

enum {
  NTH_STALL_LOCKS = 8, /* locks of a member that are known by name; more are not noted */
  NTH_STALL_SEATS = 4  /* regions around each other in which a member is; more are not noted */
};

struct nth_stall_lock {
  _Atomic(ompt_wait_id_t) lock; /* 0: none */
  _Atomic(uint64_t) since;      /* ns */
  _Atomic(uintptr_t) ra;
};

/* A member in a region: the innermost one, or one around it, which the member has left for that one
 * as its master. */
struct nth_stall_seat {
  _Atomic(uintptr_t) region; /* its name; 0: none, nor are outer ones */
  _Atomic(uintptr_t) begun;  /* where in the program */
  _Atomic(uint32_t) thread_num, size;
  _Atomic(uint32_t) barriers; /* to which the member had come there, without the present one */
  _Atomic(uintptr_t) loop;    /* name of the ordered loop that it is in there; 0: none */
  _Atomic(uint64_t) from, to; /* its chunk of that, iterations from `from` on */
};

/* What is known of a member. w: the member; r: the watching thread. */
struct nth_stall_notes {
  struct nth_stall_notes *next; /* in the list of all: L */
  _Atomic(uint32_t) used;       /* a member has them; w: members, by CAS */
  uint32_t number;              /* 1, 2, ... in the order in which the notes were made */
  _Atomic(uint32_t) state, moves;
  _Atomic(uint64_t) since; /* when it came to that state, ns */
  _Atomic(uintptr_t) ra;   /* where in the program */
  _Atomic(ompt_wait_id_t) wait;
  _Atomic(uint64_t) goal;  /* of nth_tool_member */
  _Atomic(uint32_t) owner; /* the number of the member that has that iteration by a static schedule;
                            * UINT32_MAX: not known */
  _Atomic(uintptr_t) task, maker; /* names of its task, and of the task that made that one; 0:
                                   * none */
  _Atomic(uintptr_t) made;        /* where that was */
  _Atomic(int) thread;            /* its OS thread's number */
  struct nth_stall_seat seat[NTH_STALL_SEATS]; /* the innermost region first */
  struct nth_stall_lock held[NTH_STALL_LOCKS];
  /* the watching thread's own: its search for circles (stall_text.c) */
  struct nth_stall_notes *from, *candidate;
  bool entered, left;
};

/* Reads NTH_STALL and NTH_STALL_SIGNAL, and starts to watch. Whether members are to note. */
bool nth_stall_begin(void);
extern bool nth_stall_on;

void nth_stall_move_slow(struct nth_tool_member *tm, uint32_t thread_num, const void *ra);
/* The member has come to a state, task or region; ra: where in the program, NULL: as before. */
static inline void nth_stall_move(struct nth_tool_member *tm, uint32_t thread_num, const void *ra) {
  if (nth_stall_on)
    nth_stall_move_slow(tm, thread_num, ra);
}
void nth_stall_took(struct nth_tool_member *tm, ompt_wait_id_t lock, const void *ra);
void nth_stall_left(struct nth_tool_member *tm, ompt_wait_id_t lock);
/* The member ends. */
void nth_stall_member_end(struct nth_tool_member *tm);

#endif
