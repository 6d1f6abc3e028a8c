/* reduction.c - task reductions: private copies by thread number
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/reduction.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/os.h"
#include "runtime/omp/barrier.h"
#include "runtime/omp/loop.h"
#include "runtime/omp/workshare.h"

enum { ITEMS, BYTES, BASE, ALLOCATOR, NEXT, FIRST, END, ITEM0 };

/* Zeroed room for `bytes` at a multiple of `align`. The pointer for free() stands before it. */
static uintptr_t room(size_t bytes, size_t align) {
  if (align < NTH_LINE)
    align = NTH_LINE;
  char *block = nth_os_need(bytes + align + sizeof(void *));
  uintptr_t at = nth_round_up((uintptr_t)block + sizeof(void *), align);
  memcpy((char *)at - sizeof(void *), &block, sizeof block);
  return at;
}

void nth_reduction_none(uintptr_t *arrays) {
  arrays[BASE] = 0;
  arrays[NEXT] = 0;
}

void nth_reduction_free(uintptr_t *arrays) {
  uintptr_t *a = arrays;
  do {
    void *block = 0;
    if (a[BASE])
      memcpy(&block, (char *)a[BASE] - sizeof(void *), sizeof block);
    free(block);
    a = (uintptr_t *)a[NEXT];
  } while (a && !a[FIRST]);
}

/* Room for each array of the chain. */
static void allocate(uintptr_t *arrays, uint32_t members) {
  for (uintptr_t *a = arrays; a; a = (uintptr_t *)a[NEXT]) {
    size_t bytes = a[BYTES] * members;
    a[BASE] = room(bytes, a[BASE]);
    a[END] = a[BASE] + bytes;
    a[FIRST] = a == arrays;
  }
}

/* The taskgroup searches the construct's arrays first, then the enclosing taskgroup's. */
static void attach(struct nth_taskgroup *g, uintptr_t *arrays) {
  uintptr_t *last = arrays;
  while (last[NEXT])
    last = (uintptr_t *)last[NEXT];
  struct nth_taskgroup *outer = g->outer;
  last[NEXT] = g->reductions ? (uintptr_t)g->reductions
                             : (uintptr_t)(outer ? outer->reductions : 0);
  g->reductions = arrays;
}

void nth_reduction_register(struct nth_taskgroup *g, uintptr_t *arrays, uint32_t members) {
  allocate(arrays, members);
  attach(g, arrays);
}

/* The other members' arrays describe the same items: they get the first one's room. */
static void share_room(uintptr_t *arrays, const uintptr_t *first) {
  for (uintptr_t *a = arrays;; first = (const uintptr_t *)first[NEXT]) {
    a[BASE] = first[BASE];
    a[END] = first[END];
    a[FIRST] = a == arrays;
    a = (uintptr_t *)a[NEXT];
    if (!a) /* the last one's link is its owner's to change (attach) */
      return;
  }
}

void nth_reduction_begin_workshare(struct nth_member *m, struct nth_workshare *share,
                                   uintptr_t *arrays) {
  nth_taskgroup_begin(m);
  struct nth_taskgroup *g = m->now.task->group;
  g->workshare = true;
  if (m->now.team_size == 1) {
    nth_reduction_register(g, arrays, 1);
    return;
  }
  uintptr_t *first = nth_load_acq(&share->reductions); /* workshare:C */
  if (!first) {
    allocate(arrays, m->now.team_size);
    if (!nth_cas_acqrel(&share->reductions, &first, arrays)) { /* workshare:C */
      nth_reduction_free(arrays);
      share_room(arrays, first);
    }
  } else {
    share_room(arrays, first);
  }
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
  static const struct nth_workshare_spec plain;
  struct nth_workshare *share = m->now.team_size > 1 ? nth_workshare_next(m, &plain) : 0;
  nth_reduction_begin_workshare(m, share, arrays);
}

void nth_reduction_end_workshare(struct nth_member *m, bool cancelled) {
  uintptr_t *arrays = m->now.task->group->reductions;
  nth_taskgroup_end(m);
  if (!cancelled)
    nth_barrier(m);
  if (m->now.thread_num == 0)
    nth_reduction_free(arrays);
}

/* Looks in one array; the copy's address for `thread`, or NULL. */
static void *find_in(const uintptr_t *a, uintptr_t address, uint32_t thread, void **original) {
  bool copy = address >= a[BASE] && address < a[END];
  uintptr_t offset = copy ? (address - a[BASE]) % a[BYTES] : 0;
  for (uintptr_t j = 0; j < a[ITEMS]; j++) {
    const uintptr_t *item = &a[ITEM0 + 3 * j];
    if (copy ? item[1] != offset : item[0] != address)
      continue;
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
