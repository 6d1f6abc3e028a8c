/* exclusion.c - mutexinoutset: tasks that exclude each other, in any order
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/tasks/exclusion.h"

#include <string.h>

#include "runtime/base/check.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/tasks/depend.h"
#include "runtime/omp/tasks/task.h"

#define HELD ((uintptr_t)1)

struct nth_exclusive *nth_exclusive_make(void) {
  struct nth_exclusive *x = nth_member_take(sizeof *x);
  nth_store_rlx(&x->word, 0);
  nth_store_rlx(&x->refs, 1);
  return x;
}

void nth_exclusive_unref(struct nth_exclusive *x) {
  nth_assert(nth_load_rlx(&x->refs) > 0);
  if (nth_sub_acqrel(&x->refs, 1) == 1) /* task:R */
    nth_member_give(x, sizeof *x);
}

/* Addresses ascend; what is held comes first. By the one that has the task of e. */
static __attribute__((unused)) bool valid(const struct nth_exclusion *e) {
  for (uint32_t i = 1; i < e->count; i++)
    if ((uintptr_t)e->object[i - 1] >= (uintptr_t)e->object[i])
      return false;
  return e->held <= e->count && e->count <= e->capacity &&
         (e->object == e->own) == (e->capacity == NTH_EXCLUSIONS_OWN);
}

/* Makes room for one more. */
static void grow(struct nth_exclusion *e) {
  nth_assert(e->count == e->capacity && e->held == 0);
  struct nth_exclusive **old = e->object;
  e->capacity *= 2;
  e->object = nth_heap_need(e->capacity * sizeof(*e->object));
  memcpy(e->object, old, e->count * sizeof *old);
  if (old != e->own)
    nth_heap_free(old);
}

static struct nth_exclusion *make(void) {
  struct nth_exclusion *e = nth_member_take(sizeof *e);
  e->object = e->own;
  e->capacity = NTH_EXCLUSIONS_OWN;
  e->count = e->held = 0;
  return e;
}

void nth_exclusion_add(struct nth_depend *d, struct nth_exclusive *x) {
  struct nth_exclusion *e = d->exclusion;
  if (!e)
    e = d->exclusion = make();
  nth_assert(e->held == 0);
  uint32_t i = e->count;
  while (i > 0 && (uintptr_t)e->object[i - 1] > (uintptr_t)x)
    i--;
  if (i > 0 && e->object[i - 1] == x)
    return;
  if (e->count == e->capacity)
    grow(e);
  memmove(&e->object[i + 1], &e->object[i], (e->count - i) * sizeof(*e->object));
  e->object[i] = x;
  e->count++;
  nth_add_rlx(&x->refs, 1);
  nth_assert_valid(valid(e));
}

/* Takes x, or puts d into its list. */
static bool take_or_wait(struct nth_exclusive *x, struct nth_depend *d) {
  uintptr_t word = nth_load_acq(&x->word); /* X */
  for (;;) {
    if (word == 0) {
      if (nth_cas_acqrel(&x->word, &word, HELD)) /* X */
        return true;
    } else {
      d->exclusion->next = (struct nth_depend *)(word & ~HELD);
      if (nth_cas_acqrel(&x->word, &word, (uintptr_t)d | HELD)) /* X */
        return false;
    }
  }
}

bool nth_exclusion_take(struct nth_depend *d) {
  struct nth_exclusion *e = d->exclusion;
  nth_assert(e->held <= e->count);
  while (e->held < e->count) {
    /* Counted first: once d is in the list, another thread may go on with it. */
    if (!take_or_wait(e->object[e->held++], d))
      return false;
  }
  return true;
}

/* Gives x to the task that has waited least, and returns that one. NULL: none waits, and x is
 * free. */
static struct nth_depend *pass_on(struct nth_exclusive *x) {
  uintptr_t word = nth_load_acq(&x->word), rest; /* X */
  struct nth_depend *w;
  do {
    nth_assert(word & HELD);
    w = (struct nth_depend *)(word & ~HELD);
    rest = w ? (uintptr_t)w->exclusion->next | HELD : 0;
  } while (!nth_cas_acqrel(&x->word, &word, rest)); /* X */
  return w;
}

void nth_exclusion_release(struct nth_depend *d) {
  struct nth_exclusion *e = d->exclusion;
  nth_assert(e->count > 0 && (e->held == e->count || e->held == 0));
  while (e->held > 0) {
    struct nth_depend *w = pass_on(e->object[--e->held]);
    if (w && nth_exclusion_take(w))
      nth_depend_start(w->task);
  }
}

void nth_exclusion_free(struct nth_depend *d) {
  struct nth_exclusion *e = d->exclusion;
  nth_assert(e->held == 0);
  for (uint32_t i = 0; i < e->count; i++)
    nth_exclusive_unref(e->object[i]);
  if (e->object != e->own)
    nth_heap_free(e->object);
  nth_member_give(e, sizeof *e);
  d->exclusion = 0;
}
