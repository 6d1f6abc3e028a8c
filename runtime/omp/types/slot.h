/* slot.h - a member's part of its team
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         What others look at (arrivals, own range of tasks, position in the chain of shared
 *             constructs) and what the member counts for itself in this team.
 * Ownership   the member's thread owns the slot during a region; between regions the master may
 *             write the private part (for members that missed regions). Lines polled by others are
 *             apart.
 */
#ifndef NTH_OMP_SLOT_H
#define NTH_OMP_SLOT_H

#include "runtime/omp/types/queue_type.h"
#include "runtime/omp/types/task_type.h"
#include "runtime/place/domains/route.h"
#include "runtime/struct/djs.h"

struct nth_berth;
struct nth_workshare;
struct nth_doacross;
struct nth_doacross_unit;

/* A member's position in the current work-sharing loop; see loop.h. Private. */
struct nth_loop {
  uint64_t base, step;    /* iteration i has the value base + i * step (mod 2^64) */
  uint64_t last;          /* the end the program gave: bound of the last chunk */
  uint64_t trips, chunk;  /* iterations of the loop, of a chunk */
  uint64_t begin, end;    /* the current chunk, in iterations */
  uint64_t next;          /* static: first iteration of the next chunk; serial: next iteration */
  uint64_t ordered_left;  /* ordered: iterations of the chunk whose region may still come */
  uint32_t units, victim; /* own ranges: chunks in all; member to steal from next */
  uint8_t kind;           /* NTH_LOOP_ of loop.h */
  bool ordered, turn;     /* ordered clause; it is this member's turn */
  struct nth_workshare *share;   /* the construct's shared part, NULL: none */
  struct nth_doacross *doacross; /* the same for doacross loops; NULL: none, nobody waits */
  struct nth_doacross_unit *own; /* doacross: the line of the current chunk, */
  uint64_t unit;                 /* and the chunk's number */
};

/* Suspended tasks of a member in its team; task_berth.h. */
struct nth_berth_list {
  struct nth_berth *first, *last;
};
struct nth_berths {
  _Atomic(struct nth_berth *) woken;    /* by others, the last one first; w: any; r: member; W of
                                         * berth_list.h */
  uint32_t suspended;                   /* I3 of task_berth.h; this and what follows: the member's
                                         * own */
  uint32_t turns;                       /* of those that have yielded, so far */
  struct nth_berth *round;              /* when this one has its turn, all have had one */
  struct nth_berth_list ready, yielded; /* the first one is the next */
};

struct nth_slot {
  /* polled by others */
  _Alignas(NTH_APART) _Atomic(uint32_t) arrived;  /* barrier: epoch << 1 | tasks; w: member;
                                                   * barrier.h */
  _Atomic(uint32_t) released;                     /* tree barrier: for its children; w: member */
  _Atomic(uint32_t) gathered;                     /* crowded barrier: arrivals of those it leads; w:
                                                   * these */
  struct nth_djs djs;                             /* w: member, master's sleep bit */
  _Alignas(NTH_APART) _Atomic(uint64_t) share_id; /* no descriptor before this one is used;
                                                   * workshare.h */
  struct nth_task_queue queue;                    /* this member's ready tasks; task_queue.h */
  struct nth_berths berths;                       /* and those that are suspended */
  /* private */
  _Alignas(NTH_APART) struct nth_workshare *share; /* the last shared descriptor; NULL: the
                                                    * anchor */
  struct nth_workshare *made_first, *made_last;    /* made by this member, oldest first, maybe in
                                                    * use */
  struct nth_workshare *free;                      /* made by this member, free */
  struct nth_workshare *alone;                     /* for constructs in a team of one */
  uint8_t searches; /* NTH_SEARCHES, NTH_SEARCHED, NTH_IDLE of help.h */
  int32_t naps;     /* since then, without a task */
  bool depends;     /* the implicit task's table of dependences may list some; depend.h */
  _Atomic(uint64_t) cancelled_share;        /* of a construct alone; cancel.h */
  _Atomic(uint32_t) tasks_made, tasks_done; /* by this member; w: member, master; task.h I2 */
  _Atomic(uint32_t) tasks_done_outside;     /* those made here, by threads outside the team; w:
                                             * these */
  uint32_t tasks_seen;                      /* tasks_made at the last barrier */
  uint64_t seat;            /* where the member is bound in this team; w: master; binding.h */
  uint64_t singles;         /* single constructs met in this team */
  uint32_t epoch;           /* barriers passed in this team */
  uint32_t ask;             /* slave last asked for help with tasks */
  uint32_t finished;        /* descriptors finished for this team's master (djs) */
  uint32_t made, scan_at;   /* length of the list of made ones; length to look for free ones at */
  struct nth_task implicit; /* the implicit task */
  struct nth_loop loop;
  struct nth_route route; /* who is near, where it looks for tasks; w: master; omp/team/lay.h */
};

#endif
