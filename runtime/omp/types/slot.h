/* slot.h - a member's part of its team
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A slot has the words of a member that others read: its arrivals, its ready tasks, its
 *             position in the chain of work shares. It also has the member's own counts.
 * Ownership   The member's thread owns its slot during a region. Between regions the master may
 *             write the private part, to bring members up to date that missed regions. Lines that
 *             others poll lie apart.
 * Order       What a region without tasks touches comes first, the deque's array last. Behind a
 *             member's fields lies its implicit task outside any team, the only part of that slot
 *             that most members use, so they share a page
 */
#ifndef NTH_OMP_SLOT_H
#define NTH_OMP_SLOT_H

#include "runtime/omp/types/barrier_type.h"
#include "runtime/omp/types/berth_type.h"
#include "runtime/omp/types/queue_type.h"
#include "runtime/omp/types/share_type.h"
#include "runtime/omp/types/task_type.h"
#include "runtime/place/domains/route.h"
#include "runtime/struct/djs.h"

struct nth_slot {
  /* private */
  _Alignas(NTH_APART) struct nth_task implicit; /* the implicit task, on lines as all tasks lie */
  struct nth_loop loop;
  _Alignas(NTH_APART) struct nth_slot_shares shares;
  struct nth_slot_help help;
  struct nth_slot_tasks tasks;
  _Atomic(uint64_t) cancelled_share; /* mark of a construct in a team of one; cancel.h */
  uint64_t seat;                     /* place of the member in this team; w: master; binding.h */
  uint32_t epoch;                    /* barriers passed in this team */
  uint32_t finished;      /* descriptors that it has finished for this team's master (DJS) */
  struct nth_route route; /* the order in which it visits the others for tasks; w: master; lay.h */
  /* polled by others */
  _Alignas(NTH_APART) struct nth_slot_barrier barrier;
  struct nth_djs djs;                             /* w: member, and the master for its sleep bit */
  _Alignas(NTH_APART) _Atomic(uint64_t) share_id; /* the member uses no descriptor before this
                                                   * one; w: member; r: others; workshare.h B */
  _Alignas(NTH_APART) struct nth_berths berths;   /* the member's suspended tasks */
  struct nth_task_queue queue;                    /* this member's ready tasks; task_queue.h */
};

#endif
