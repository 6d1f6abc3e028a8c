/* target.c - target regions on the host
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/target/target.h"

#include <string.h>

#include "runtime/base/os.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/target/role.h"
#include "runtime/omp/tasks/depend.h"
#include "runtime/omp/tasks/task.h"
#include "runtime/omp/told/told.h"

/* A region with its own array of addresses and, after it, its firstprivate objects. */
struct captured {
  void (*fn)(void *);
  uint32_t thread_limit;
  bool nowait;
  const void *ra; /* where in the program the construct is; with a tool only */
  void *addresses[];
};

/* Whether item i has this kind. Fortran's absent optional arguments have no address, whatever their
 * kind. */
static bool item_is(const struct nth_target *t, size_t i, int kind) {
  return t->kinds && (t->kinds[i] & NTH_MAP_KIND) == kind && t->addresses[i];
}

static size_t alignment(const struct nth_target *t, size_t i) {
  return (size_t)1 << (t->kinds[i] >> NTH_MAP_ALIGN_SHIFT);
}

/* Bytes of a captured region at any address. *copies: those of its firstprivate objects. */
static size_t captured_size(const struct nth_target *t, size_t *copies) {
  *copies = 0;
  for (size_t i = 0; i < t->items; i++)
    *copies += item_is(t, i, NTH_MAP_FIRSTPRIVATE) ? t->sizes[i] + alignment(t, i) - 1 : 0;
  return sizeof(struct captured) + t->items * sizeof(void *) + *copies;
}

/* Item i attaches the object before it to a descriptor. Where both are copies, the copied
 * descriptor gets the address of the copied object. The item's own address is that of the
 * descriptor's element in t->addresses, and its size is the offset of the descriptor's pointer.
 * Other attach items concern mapped objects, whose pointers are right on the host. */
static void attach(const struct nth_target *t, size_t i, void *const *copies) {
  uintptr_t at = (uintptr_t)t->addresses[i] - (uintptr_t)t->addresses;
  size_t descriptor = at / sizeof(void *), offset = t->sizes[i];
  if (i == 0 || descriptor >= i - 1 || at % sizeof(void *) != 0)
    return;
  if (!item_is(t, descriptor, NTH_MAP_FIRSTPRIVATE) || !item_is(t, i - 1, NTH_MAP_FIRSTPRIVATE))
    return;
  if (t->sizes[descriptor] >= sizeof(void *) && offset <= t->sizes[descriptor] - sizeof(void *))
    memcpy((char *)copies[descriptor] + offset, &copies[i - 1], sizeof(void *));
}

/* Captures a region; has the type of a task's copy function. */
static void capture(void *to, void *from) {
  const struct nth_target *t = from;
  struct captured *c = to;
  nth_assert(t->fn && (t->items == 0 || t->addresses));
  c->fn = t->fn;
  c->thread_limit = t->thread_limit;
  c->nowait = t->nowait;
  c->ra = t->ra;
  uintptr_t at = (uintptr_t)(c->addresses + t->items);
  for (size_t i = 0; i < t->items; i++) {
    c->addresses[i] = t->addresses[i];
    if (item_is(t, i, NTH_MAP_ATTACH))
      attach(t, i, c->addresses);
    if (!item_is(t, i, NTH_MAP_FIRSTPRIVATE))
      continue;
    size_t align = alignment(t, i);
    at = nth_round_up(at, align);
    c->addresses[i] = (void *)at;
    if (t->sizes[i])
      memcpy(c->addresses[i], t->addresses[i], t->sizes[i]);
    at += t->sizes[i];
  }
}

static void run(struct nth_member *m, void (*fn)(void *), void **addresses, uint32_t limit) {
  struct nth_role role;
  nth_role_enter(m, &role, &nth_env.initial, limit);
  fn(addresses);
  nth_role_leave(m, &role);
}

static void run_told(struct nth_member *m, void (*fn)(void *), void **addresses, uint32_t limit,
                     ompt_target_t kind, const void *ra) {
  struct nth_role role;
  struct nth_told_role told;
  nth_told_enter(nth_told_task_of(m), __builtin_frame_address(0)); /* suspended tasks may go on */
  nth_role_enter(m, &role, &nth_env.initial, limit);
  role.told = &told;
  nth_told_target_begin(m, &told, kind, fn, ra, __builtin_frame_address(0));
  fn(addresses);
  nth_told_target_end(m, &told);
  nth_role_leave(m, &role);
}

static void run_captured(void *block) {
  struct captured *c = block;
  struct nth_member *m = nth_member_get();
  if (nth_tool_on())
    run_told(m, c->fn, c->addresses, c->thread_limit, c->nowait ? ompt_target_nowait : ompt_target,
             c->ra);
  else
    run(m, c->fn, c->addresses, c->thread_limit);
}

void nth_target_run(struct nth_member *m, const struct nth_target *t, bool nowait, void **depend) {
  size_t copies, size = captured_size(t, &copies);
  struct nth_target region = *t;
  if (nowait && !(m->now.task->flags & NTH_TASK_FINAL)) {
    struct nth_task_args task = {.fn = run_captured,
                                 .data = &region,
                                 .copy = capture,
                                 .size = size,
                                 .deferred = true,
                                 .depend = depend};
    region.nowait = true;
    if (nth_tool_on())
      nth_told_task_target(m, &task, t->ra);
    else
      nth_task_create(m, &task);
    return;
  }
  if (depend && nth_tool_on())
    nth_told_task_wait_depend(m, depend, t->ra);
  else
    nth_depend_wait(m, depend);
  if (copies) {
    void *block = nth_member_take(size);
    capture(block, &region);
    run_captured(block);
    nth_member_give(block, size);
  } else if (nth_tool_on()) {
    run_told(m, t->fn, t->addresses, t->thread_limit, ompt_target, t->ra);
  } else {
    run(m, t->fn, t->addresses, t->thread_limit);
  }
}

/* --- blocks of arrays --- */

/* One dimension of a copy: bytes from one block to the next. */
struct step {
  size_t to, from;
};

static void copy_dimension(char *to, const char *from, const struct step *step, const size_t *block,
                           int dims, size_t row) {
  if (dims == 1) {
    memmove(to, from, row);
    return;
  }
  bool down = (uintptr_t)to > (uintptr_t)from; /* overlapping: it reads each block before it
                                                * overwrites it */
  for (size_t i = 0; i < block[0]; i++) {
    size_t at = down ? block[0] - 1 - i : i;
    copy_dimension(to + at * step->to, from + at * step->from, step + 1, block + 1, dims - 1, row);
  }
}

/* Fills in the bytes of one step of each dimension and the offset of the array's block. */
static bool measure(const struct nth_target_array *a, size_t size, int dims, size_t *step,
                    size_t stride, size_t *offset) {
  size_t bytes = size, part;
  *offset = 0;
  for (int d = dims - 1; d >= 0; d--) {
    step[(size_t)d * stride] = bytes;
    if (__builtin_mul_overflow(a->offsets[d], bytes, &part) ||
        __builtin_add_overflow(*offset, part, offset) ||
        (d > 0 && __builtin_mul_overflow(bytes, a->lengths[d], &bytes)))
      return false;
  }
  return true;
}

bool nth_target_copy_block(const struct nth_target_array *to, const struct nth_target_array *from,
                           size_t size, const size_t *block, int dims) {
  struct step few[8], *step = dims <= 8 ? few : nth_heap_need((size_t)dims * sizeof *step);
  size_t to_offset, from_offset, row, extent;
  bool good = measure(to, size, dims, &step->to, 2, &to_offset) &&
              measure(from, size, dims, &step->from, 2, &from_offset) &&
              !__builtin_mul_overflow(block[dims - 1], size, &row);
  bool empty = size == 0;
  for (int d = 0; good && d < dims; d++) {
    empty |= block[d] == 0;
    good = !__builtin_mul_overflow(block[d], step[d].to, &extent) &&
           !__builtin_mul_overflow(block[d], step[d].from, &extent);
  }
  good = good && (empty || (to->base && from->base));
  if (good && !empty)
    copy_dimension(to->base + to_offset, from->base + from_offset, step, block, dims, row);
  if (step != few)
    nth_heap_free(step);
  return good;
}
