/* reduction.c - task reductions: the private copies of each thread
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/taskloop/reduction.h"

#include <string.h>

#include "runtime/base/check.h"
#include "runtime/base/os.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/member/cancelled.h"
#include "runtime/omp/queue/task_queue.h"
#include "runtime/omp/sync/barrier.h"
#include "runtime/omp/tasks/taskgroup.h"
#include "runtime/omp/types/taskgroup_type.h"
#include "runtime/omp/worksharing/loop.h"
#include "runtime/omp/worksharing/workshare.h"

enum { ITEMS, BYTES, BASE, ALLOCATOR, NEXT, FIRST, END, ITEM0 };

/* The alignment of an array's room; to be read before the base replaces it in the array. */
static size_t alignment(const uintptr_t *array) {
  return array[BASE] < NTH_LINE ? NTH_LINE : array[BASE];
}

/* Makes zeroed room for the arrays of a construct, in one block: the bases of the arrays' parts,
 * one word, the parts. The word before the first part stays 0, unless the block belongs to this
 * construct alone (nth_reduction_free). */
static uintptr_t *make_room(const uintptr_t *arrays, uint32_t members) {
  size_t count = 0, bytes = 0;
  nth_assert(arrays && members > 0);
  for (const uintptr_t *a = arrays; a; a = (const uintptr_t *)a[NEXT]) {
    count++;
    bytes += alignment(a) + a[BYTES] * members;
  }
  uintptr_t *bases = nth_heap_need((count + 1) * sizeof *bases + bytes),
            at = (uintptr_t)&bases[count + 1];
  for (const uintptr_t *a = arrays; a; a = (const uintptr_t *)a[NEXT]) {
    at = nth_round_up(at, alignment(a));
    *bases++ = at;
    at += a[BYTES] * members;
  }
  return bases - count;
}

static void use_room(uintptr_t *arrays, const uintptr_t *bases, uint32_t members) {
  nth_assert(bases[0] != 0 && bases[0] % NTH_LINE == 0);
  for (uintptr_t *a = arrays; a; a = (uintptr_t *)a[NEXT]) {
    a[BASE] = *bases++;
    a[END] = a[BASE] + a[BYTES] * members;
    a[FIRST] = a == arrays;
  }
}

void nth_reduction_none(uintptr_t *arrays) {
  arrays[BASE] = 0;
  arrays[NEXT] = 0;
}

void nth_reduction_free(uintptr_t *arrays) {
  void *block = 0;
  if (arrays[BASE])
    memcpy(&block, (char *)arrays[BASE] - sizeof block, sizeof block);
  nth_heap_free(block);
}

/* A search in the taskgroup goes through the construct's arrays first, then through the enclosing
 * taskgroup's. */
static void attach(struct nth_taskgroup *g, uintptr_t *arrays) {
  uintptr_t *last = arrays;
  while (last[NEXT])
    last = (uintptr_t *)last[NEXT];
  const struct nth_taskgroup *has = g;
  while (has && !has->reductions)
    has = has->outer;
  last[NEXT] = has ? (uintptr_t)has->reductions : 0;
  g->reductions = arrays;
}

void nth_reduction_register(struct nth_taskgroup *g, uintptr_t *arrays, uint32_t members) {
  uintptr_t *room = make_room(arrays, members);
  use_room(arrays, room, members);
  memcpy((char *)arrays[BASE] - sizeof room, &room, sizeof room);
  attach(g, arrays);
}

/* --- work-sharing constructs: the members' arrays describe the same items and get one room --- */

/* The room belongs to the construct's descriptor: the arrays are in the members' frames, and
 * members leave a cancelled region at different times. */
void nth_reduction_begin_workshare(struct nth_member *m, struct nth_workshare *share,
                                   uintptr_t *arrays) {
  nth_assert(nth_task_caller_is(m) && (share || m->now.team_size == 1));
  nth_taskgroup_begin(m);
  struct nth_taskgroup *g = m->now.task->group;
  g->workshare = true;
  g->share = share;
  if (m->now.team_size == 1) {
    nth_reduction_register(g, arrays, 1);
    return;
  }
  uintptr_t *room = nth_load_acq(&share->reductions); /* workshare:C */
  if (!room) {
    uintptr_t *mine = make_room(arrays, m->now.team_size);
    if (nth_cas_acqrel(&share->reductions, &room, mine)) /* workshare:C */
      room = mine;
    else
      nth_heap_free(mine);
  }
  use_room(arrays, room, m->now.team_size);
  attach(g, arrays);
}

void nth_reduction_begin_loop(struct nth_member *m, struct nth_loop_args *a, uintptr_t *arrays,
                              void **mem) {
  a->mem = mem ? (size_t)(uintptr_t)*mem : 0;
  a->share = arrays || mem;
  nth_loop_begin(m, a);
  struct nth_workshare *share = m->now.slot->loop.share;
  if (arrays)
    nth_reduction_begin_workshare(m, share, arrays);
  if (mem)
    *mem = share->mem;
}

void nth_reduction_begin_scope(struct nth_member *m, uintptr_t *arrays) {
  struct nth_workshare_spec plain = {0};
  struct nth_workshare *share = m->now.team_size > 1 ? nth_workshare_next(m, &plain) : 0;
  if (share)
    nth_workshare_pin(m->now.slot);
  nth_reduction_begin_workshare(m, share, arrays);
}

void nth_reduction_end_workshare(struct nth_member *m, bool cancelled) {
  nth_assert(nth_task_caller_is(m) && m->now.task->group && m->now.task->group->workshare);
  uintptr_t *arrays = m->now.task->group->reductions;
  struct nth_workshare *share = m->now.task->group->share;
  nth_taskgroup_end(m);
  if (!cancelled)
    nth_barrier(m);
  if (m->now.team_size == 1) {
    nth_reduction_free(arrays);
  } else if (m->now.thread_num == 0 && !cancelled && !nth_cancelled_team(m->now.team)) {
    nth_heap_free(nth_load_rlx(&share->reductions)); /* all members are past the barrier */
    nth_store_rlx(&share->reductions, 0);
  } /* else some may still use it: it goes with the descriptor */
  if (m->now.team_size > 1)
    nth_workshare_unpin(m->now.slot, share);
}

/* Looks for the address in one array. Returns the address of the copy of `thread`, or NULL. */
static void *find_in(const uintptr_t *a, uintptr_t address, uint32_t thread, void **original) {
  bool copy = address >= a[BASE] && address < a[END];
  uintptr_t offset = copy ? (address - a[BASE]) % a[BYTES] : 0;
  for (uintptr_t j = 0; j < a[ITEMS]; j++) {
    const uintptr_t *item = &a[ITEM0 + 3 * j];
    if (copy ? item[1] != offset : item[0] != address)
      continue;
    nth_assert(a[BASE] + (thread + 1) * a[BYTES] <= a[END]);
    *original = (void *)item[0];
    return (void *)(a[BASE] + thread * a[BYTES] + item[1]);
  }
  return 0;
}

void *nth_reduction_find(struct nth_member *m, void *address, void **original) {
  struct nth_taskgroup *g = m->now.task->group;
  while (g && !g->reductions)
    g = g->outer;
  for (const uintptr_t *a = g ? g->reductions : 0; a; a = (const uintptr_t *)a[NEXT]) {
    void *copy = find_in(a, (uintptr_t)address, m->now.thread_num, original);
    if (copy)
      return copy;
  }
  return 0;
}
