/* reduction.h - task reductions: the private copies of each thread
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 5.5.9 (task_reduction, in_reduction, reduction with the task
 *             modifier). The compiler describes the items of a construct in an array of words. The
 *             library gives it zeroed room with one copy for each thread, and finds copies by
 *             address.
 * Array       [0] items k  [1] bytes a thread  [2] in: alignment, out: base  [3] allocator
 *             [4] next array of the construct, in the last one: the enclosing taskgroup's
 *             [5] 1 in a construct's first array, 0 in the others  [6] end of the room
 *             [7+3j] address of item j  [8+3j] its offset in a thread's part  [9+3j] unused
 */
#ifndef NTH_OMP_REDUCTION_H
#define NTH_OMP_REDUCTION_H

#include "runtime/omp/member/member.h"

struct nth_loop_args;
struct nth_workshare;

/* Gives a construct's arrays room for that number of threads, and makes them the taskgroup's. */
void nth_reduction_register(struct nth_taskgroup *g, uintptr_t *arrays, uint32_t members);

/* Frees the room of a construct's arrays, if there is any. */
void nth_reduction_free(uintptr_t *arrays);

/* The construct runs nothing: its arrays get no room. */
void nth_reduction_none(uintptr_t *arrays);

/* reduction(task) on a work-sharing construct: opens a taskgroup in each member. All members use
 * the room that the first one makes. share: the construct's descriptor (any value in a team of
 * one). */
void nth_reduction_begin_workshare(struct nth_member *m, struct nth_workshare *share,
                                   uintptr_t *arrays);
/* Begins the loop of a loop or sections construct with reduction(task) (arrays, or NULL) or shared
 * memory (mem, or NULL). *mem: in: how many bytes; out: their address. */
void nth_reduction_begin_loop(struct nth_member *m, struct nth_loop_args *a, uintptr_t *arrays,
                              void **mem);
/* nth_reduction_begin_workshare for a scope construct, which has no descriptor otherwise. */
void nth_reduction_begin_scope(struct nth_member *m, uintptr_t *arrays);
/* The construct's end: waits for the member's tasks; unless cancelled, also for the other
 * members. */
void nth_reduction_end_workshare(struct nth_member *m, bool cancelled);

/* This thread's copy of the item at `address`, which is an original or a copy; *original: the
 * original's address. NULL: no construct around has such an item. */
void *nth_reduction_find(struct nth_member *m, void *address, void **original);

#endif
