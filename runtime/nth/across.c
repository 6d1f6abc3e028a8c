/* across.c - nano-threads that wait for tasks of OpenMP, and tasks that wait for nano-threads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/nth/across.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/check.h"
#include "runtime/nth/machine.h"
#include "runtime/nth/nano.h"
#include "runtime/omp/tasks/depend.h"
#include "runtime/omp/tasks/task_finish.h"
#include "runtime/omp/tasks/task_memory.h"

/* --- tasks that wait for nano-threads --- */

int nth_across_of(void *event, struct nth_node **node) {
  struct nth_task *t = event;
  if (!t)
    return EINVAL;
  *node = &t->event.node;
  return 0;
}

int nth_across_make(long n, struct nth_node **node) {
  int error;
  if (!nth_runner_get(&error))
    return error;
  if (n <= 0 || (unsigned long)n > NTH_DEPS_MOST)
    return n <= 0 ? EINVAL : EOVERFLOW;
  struct nth_member *m = nth_member_get();
  struct nth_task *t = nth_task_make_held(m, &(struct nth_task_args){0}, (uint32_t)n);
  if (!t)
    return ENOMEM;
  nth_task_count_made(m, t);
  *node = &t->event.node;
  return 0;
}

/* --- nano-threads that wait for tasks --- */

/* Queues d: for the calling processor, or for any processor if the caller is none. */
static void queue(struct nth_desc *d) {
  struct nth_runner *r = nth_runner_self;
  nth_assert(nth_deps_is(&d->deps, NTH_READY));
  if (r && r->processor) {
    nth_lrq_push(&r->processor->lrq, d);
    nth_machine_wake(r->processor);
    return;
  }
  const struct nth_member *m = nth_member_known();
  struct nth_processor *to = nth_machine.processor[(m ? m->number : 0) % nth_machine.processors];
  struct nth_batch alone;
  nth_batch_begin(&alone, d, d);
  nth_batch_add(&alone, d);
  nth_lrq_put(&to->lrq, &alone, false);
  nth_machine_wake(to);
}

/* The function of a stand-in: its nano-thread waits for no task any longer. If the nano-thread is
 * queued now, what counted for the stand-in counts for it from now on (I1). */
static void hand_over(void *data) {
  struct nth_desc *d = data;
  nth_assert(d->kind == NTH_KIND_THREAD);
  if (nth_deps_sub(&d->deps, 1) == NTH_DEPS_READY) /* deps:A */
    queue(d);
  else
    nth_add_rel(&nth_machine.made_outside, UINT32_MAX); /* machine:O */
}

static int check(const struct nth_desc *d, int n, void *const address[], const int kind[]) {
  if (!d || d->kind != NTH_KIND_THREAD || n < 0 || (n > 0 && (!address || !kind)))
    return EINVAL;
  for (int i = 0; i < n; i++)
    if (kind[i] < NTH_DEPEND_IN || kind[i] > NTH_DEPEND_INOUTSET)
      return EINVAL;
  enum nth_state state = nth_deps_state(&d->deps);
  if (state != NTH_MADE)
    return state < NTH_MADE ? EINVAL : EALREADY;
  return d->nsucc + d->narg == NTH_DESC_WORDS ? E2BIG : 0;
}

static void add_successor(struct nth_desc *d, struct nth_node *node) {
  nth_assert(d->nsucc + d->narg < NTH_DESC_WORDS);
  memmove(d->word + 1, d->word, (size_t)(d->nsucc + d->narg) * sizeof *d->word);
  d->word[0] = (uintptr_t)node;
  d->nsucc++;
}

/* Dependences in the form in which the compiler gives them (depend.h): HEAD words, pointers to
 * objects like those of omp_depend_t, and these objects. */
enum { HEAD = 5 };

static size_t array_bytes(size_t count) { return (HEAD + 3 * count) * sizeof(void *); }

static void write_array(uintptr_t *array, size_t count, void *const address[], const int kind[]) {
  uintptr_t *object = array + HEAD + count;
  memset(array, 0, HEAD * sizeof *array);
  array[1] = count;
  for (size_t i = 0; i < count; i++, object += 2) {
    array[HEAD + i] = (uintptr_t)object;
    object[0] = (uintptr_t)address[i];
    object[1] = (uintptr_t)(address[i] ? kind[i] : NTH_DEPEND_OUT); /* NULL: all memory */
  }
  nth_assert((char *)object == (char *)array + array_bytes(count));
}

/* The stand-in of d, which counts for nothing yet. */
static struct nth_task *make_stand_in(struct nth_member *m, struct nth_desc *d) {
  struct nth_task_args a = {.fn = hand_over, .depend = &(void *){0}}; /* depend: to make room for
                                                                       * some */
  struct nth_task *t = nth_task_make_held(m, &a, 1);
  if (t) {
    t->kind = NTH_KIND_PLACE;
    t->data = d;
  }
  return t;
}

int nth_across_depend(struct nth_desc *d, int n, void *const address[], const int kind[]) {
  int error;
  if (!nth_runner_get(&error) || (error = check(d, n, address, kind)))
    return error;
  struct nth_member *m = nth_member_get();
  size_t size = array_bytes((size_t)n);
  uintptr_t *array = nth_pool_take(nth_member_pool(), nth_pool_class(size), size);
  struct nth_task *t = array ? make_stand_in(m, d) : 0;
  error = t ? nth_deps_add(&d->deps, 1) : ENOMEM;
  if (error == 0) {
    write_array(array, (size_t)n, address, kind);
    add_successor(d, &t->event.node);
    nth_add_rel(&nth_machine.made_outside, 1); /* machine:O */
    nth_task_count_made(m, t);
    if (nth_depend_register(t, (void **)array))
      nth_depend_start(t);
  } else if (t) {
    nth_task_release(&m->pool, t);
  }
  if (array)
    nth_member_give(array, size);
  return error;
}
