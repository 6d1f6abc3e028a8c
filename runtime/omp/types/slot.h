/* slot.h - a member's part of its team
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A slot has the words of a member that others read: its arrivals, its ready tasks, its
 *             position in the chain of work shares. It also has the member's own counts.
 * Ownership   The member's thread owns its slot during a region. Between regions the master may
 *             write the private part, to bring members up to date that missed regions. Lines that
 *             others poll lie apart.
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

/* A member's position in the current work-sharing loop; loop.h. Private. */
struct nth_loop {
  uint64_t base, step;    /* iteration i has the value base + i * step (mod 2^64) */
  uint64_t last;          /* the end as the program gave it: bound of the last chunk */
  uint64_t trips, chunk;  /* iterations of the loop, of a chunk */
  uint64_t begin, end;    /* the current chunk, in iterations */
  uint64_t next;          /* static: first iteration of the next chunk; serial: next iteration */
  uint64_t ordered_left;  /* ordered: iterations of the chunk whose ordered region may still come */
  uint32_t units, victim; /* ranges: chunks in all; the member to steal from next */
  uint8_t kind;           /* NTH_LOOP_ of loop.h */
  bool ordered, turn;     /* it has an ordered clause; it is this member's turn */
  struct nth_workshare *share;   /* the construct's shared part, NULL: none */
  struct nth_doacross *doacross; /* shared part of a doacross loop; NULL: none, no wait is needed */
  struct nth_doacross_unit *own; /* doacross: the line of the current chunk */
  uint64_t unit;                 /* doacross: the number of the current chunk */
};

/* Suspended tasks of a member in its team; task_berth.h. */
struct nth_berth_list {
  struct nth_berth *first, *last;
};
struct nth_berths {
  _Atomic(struct nth_berth *) woken;    /* woken by other threads, the last one first; w: any; r:
                                         * member; W of berth_list.h */
  uint32_t suspended;                   /* I3 of task_berth.h; this field and the next ones: the
                                         * member's own */
  uint32_t turns;                       /* suspensions by a yield so far */
  struct nth_berth *round;              /* the round ends when this one has had its turn */
  struct nth_berth_list ready, yielded; /* the first one is the next to run */
};

struct nth_slot {
  /* polled by others */
  _Alignas(NTH_APART) _Atomic(uint32_t) arrived;  /* barrier: epoch << 1 | tasks; w: member;
                                                   * barrier.h */
  _Atomic(uint32_t) released;                     /* tree barrier: for its children; w: member */
  _Atomic(uint32_t) gathered;                     /* crowded barrier: arrivals of the members
                                                   * that this one leads; w: these */
  struct nth_djs djs;                             /* w: member, and the master for its sleep bit */
  _Alignas(NTH_APART) _Atomic(uint64_t) share_id; /* the member uses no descriptor before this
                                                   * one; workshare.h */
  struct nth_task_queue queue;                    /* this member's ready tasks; task_queue.h */
  struct nth_berths berths;                       /* the member's suspended tasks */
  /* private */
  _Alignas(NTH_APART) struct nth_workshare *share; /* the last shared descriptor that it has
                                                    * used; NULL: the anchor */
  struct nth_workshare *made_first, *made_last;    /* descriptors that this member made and that
                                                    * may be in use, oldest first */
  struct nth_workshare *free;                      /* descriptors that this member made and that
                                                    * are free */
  struct nth_workshare *alone;                     /* its descriptor for constructs in a team of
                                                    * one */
  uint8_t searches; /* NTH_SEARCHES, NTH_SEARCHED, NTH_IDLE of help.h */
  int32_t naps;     /* naps of a search since its last task; help.h */
  bool depends;     /* the implicit task's dependence table may list tasks; depend.h */
  _Atomic(uint64_t) cancelled_share;        /* mark of a construct in a team of one; cancel.h */
  _Atomic(uint32_t) tasks_made, tasks_done; /* tasks made by this member; of these, the finished
                                             * ones; w: member, master; task.h I2 */
  _Atomic(uint32_t) tasks_done_outside;     /* finished ones that threads outside the team ran;
                                             * w: these */
  uint32_t tasks_seen;                      /* tasks_made at the last barrier */
  uint64_t seat;            /* place of the member in this team; w: master; binding.h */
  uint64_t singles;         /* single constructs met in this team */
  uint32_t epoch;           /* barriers passed in this team */
  uint32_t ask;             /* the slave that it asked last for help with tasks */
  uint32_t finished;        /* descriptors that it has finished for this team's master (DJS) */
  uint32_t made, scan_at;   /* length of the list from made_first on; length at which it looks
                             * for free ones */
  struct nth_task implicit; /* the implicit task */
  struct nth_loop loop;
  struct nth_route route; /* the order in which it visits the others for tasks; w: master; lay.h */
};

#endif
