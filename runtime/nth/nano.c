/* nano.c - what programs do with nano-threads: create, queue, depend, wait
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/nth/nano.h"

#include <errno.h>

#include "runtime/base/check.h"
#include "runtime/nth/block.h"
#include "runtime/nth/machine.h"
#include "runtime/omp/member/member.h"

struct nth_desc nth_nano_end; /* all zero: FREE */

/* --- descriptors --- */

struct nth_pool *nth_runner_pool(const struct nth_runner *r) {
  return nth_likely(r->processor != 0) ? r->processor->pool : nth_member_pool();
}

bool nth_nano_gather(struct nth_pool *pool, uint64_t n, struct nth_series *series) {
  struct nth_desc *d[NTH_GATHER], **link = &series->first;
  nth_assert(pool && n > 0);
  *series = (struct nth_series){0, 0};
  while (n > 0) {
    uint32_t got = nth_pool_take_many(pool, NTH_POOL_NANO,
                                      n < NTH_GATHER ? (uint32_t)n : NTH_GATHER, (void **)d);
    if (got == 0)
      break;
    for (uint32_t i = 0; i < got; i++) {
      nth_assert(nth_deps_is(&d[i]->deps, NTH_FREE) && d[i]->kind == NTH_KIND_THREAD);
      nth_deps_set(&d[i]->deps, NTH_GOT, 0);
      *link = d[i];
      link = &d[i]->next;
    }
    series->last = d[got - 1];
    n -= got;
  }
  if (series->last)
    series->last->next = &nth_nano_end;
  if (nth_unlikely(n > 0))
    for (struct nth_desc *one; (one = nth_series_pop(series));)
      nth_desc_give(pool, one);
  return n == 0;
}

static inline int take(struct nth_desc **d) {
  int error;
  struct nth_runner *r = nth_runner_get(&error);
  if (nth_unlikely(!r))
    return error;
  *d = nth_pool_take(nth_runner_pool(r), NTH_POOL_NANO, sizeof **d);
  nth_assert(!*d || (nth_deps_is(&(*d)->deps, NTH_FREE) && (*d)->kind == NTH_KIND_THREAD));
  return nth_likely(*d != 0) ? 0 : ENOMEM;
}

/* --- create --- */

static_assert(NTH_DESC_ARGS + 1 <= NTH_DESC_WORDS, "one successor and all arguments");

static int check_slow(const struct nth_form *form) {
  uint32_t nsucc = form->nsucc < 0 ? 1 : (uint32_t)form->nsucc;
  if (!form->fn || form->ndep < 0 || form->narg < 0)
    return EINVAL;
  if ((uint32_t)form->ndep > NTH_DEPS_MOST)
    return EOVERFLOW;
  if (form->narg > NTH_DESC_ARGS || nsucc > NTH_DESC_WORDS ||
      nsucc + (uint32_t)form->narg > NTH_DESC_WORDS)
    return E2BIG;
  return 0;
}

static inline int check(const struct nth_form *form) {
  bool usual = form->fn && form->nsucc < 0 && (uint32_t)form->ndep <= NTH_DEPS_MOST &&
               (uint32_t)form->narg <= NTH_DESC_ARGS;
  return nth_likely(usual) ? 0 : check_slow(form);
}

/* After check(). EINVAL: a successor is NULL, and only words of d have changed. */
static inline int fill(struct nth_desc *d, const struct nth_form *form) {
  uint32_t n = 0;
  nth_assert(nth_deps_state(&d->deps) <= NTH_GOT);
  if (form->nsucc < 0 && form->only)
    d->word[n++] = (uintptr_t)form->only;
  for (int i = 0; i < form->nsucc; i++) {
    struct nth_desc *successor = va_arg(*form->list, struct nth_desc *);
    if (!successor)
      return EINVAL;
    d->word[n++] = (uintptr_t)successor;
  }
  d->nsucc = (uint8_t)n;
  d->narg = (uint8_t)form->narg;
  for (int i = 0; i < form->narg; i++)
    d->word[n++] = (uintptr_t)va_arg(*form->list, long);
  nth_assert(n == d->nsucc + (uint32_t)d->narg && n <= NTH_DESC_WORDS);
  d->fn = form->fn;
  nth_deps_set(&d->deps, NTH_MADE, (uint32_t)form->ndep);
  return 0;
}

int nth_nano_create(const struct nth_form *form, struct nth_desc **made) {
  struct nth_desc *d = 0;
  int error = check(form);
  if (nth_unlikely(error) || nth_unlikely((error = take(&d))))
    return error;
  d->next = &nth_nano_end;
  error = fill(d, form);
  if (nth_unlikely(error))
    nth_desc_give(nth_runner_pool(nth_runner_self), d);
  else
    *made = d;
  return error;
}

int nth_nano_create_in(struct nth_desc *d, const struct nth_form *form) {
  if (!d || !nth_deps_is(&d->deps, NTH_GOT))
    return EINVAL;
  int error = check(form);
  return error ? error : fill(d, form);
}

/* --- batches --- */

int nth_nano_batch(long n, struct nth_desc **first, struct nth_desc **last) {
  *first = *last = 0;
  if (n < 0)
    return EINVAL;
  if (n == 0)
    return 0;
  if ((uint64_t)n > NTH_DEPS_MOST)
    return EOVERFLOW; /* more than a counter can count */
  int error;
  struct nth_runner *r = nth_runner_get(&error);
  if (!r)
    return error;
  struct nth_series series;
  if (!nth_nano_gather(nth_runner_pool(r), (uint64_t)n, &series))
    return ENOMEM;
  *first = series.first;
  *last = series.last;
  return 0;
}

/* --- queue --- */

/* Why d cannot be queued: an errno value. */
static int why_not(const struct nth_desc *d) {
  enum nth_state state = nth_deps_state(&d->deps);
  return state <= NTH_GOT ? EINVAL : state == NTH_MADE ? EBUSY : EALREADY;
}

/* Makes d READY, and notes it. False: d is not MADE. */
static inline bool ready(struct nth_desc *d, struct nth_desc ***note) {
  if (nth_unlikely(!nth_deps_is(&d->deps, NTH_MADE)))
    return false;
  nth_deps_set(&d->deps, NTH_READY, 0);
  **note = d;
  *note = &d->ahead;
  return true;
}

/* Makes those from first up to `bad` MADE again. Returns why `bad` could not be queued. */
static int unmark(struct nth_desc *first, const struct nth_desc *bad) {
  for (; first != bad; first = first->next)
    nth_deps_set(&first->deps, NTH_MADE, 0);
  return why_not(bad);
}

/* Makes all from first to last READY and members of the batch. On an error nothing has changed.
 * This is nth_batch_add() unrolled four times, so that each note stays in its register: w is the
 * note for d, the others follow. */
#define MARK(number, w, x, y, z)                                                                   \
  if (!ready(d, &n.w))                                                                             \
    break;                                                                                         \
  if (d == last) {                                                                                 \
    batch->size = size + (number);                                                                 \
    batch->note = (struct nth_notes){n.x, n.y, n.z, n.w};                                          \
    return 0;                                                                                      \
  }                                                                                                \
  d = d->next
static NTH_HOT int mark(struct nth_desc *first, struct nth_desc *last, struct nth_batch *batch) {
  struct nth_desc *d = first;
  struct nth_notes n = nth_batch_heads(batch);
  batch->series = (struct nth_series){first, last};
  for (uint32_t size = 0;; size += NTH_AHEAD) {
    MARK(1, a, b, c, d);
    MARK(2, b, c, d, a);
    MARK(3, c, d, a, b);
    MARK(4, d, a, b, c);
  }
  return unmark(first, d);
}

static inline void count_made(struct nth_runner *r, uint32_t n) {
  if (nth_likely(r->processor != 0))
    nth_processor_count(&r->processor->made, n); /* processor:D */
  else
    nth_add_rel(&nth_machine.made_outside, n); /* machine:O */
}

/* Puts d in front of the caller's own queue. */
static inline int put_own(struct nth_processor *k, struct nth_desc *d) {
  nth_assert(nth_processor_is_mine(k));
  if (nth_unlikely(!nth_deps_is(&d->deps, NTH_MADE)))
    return why_not(d);
  nth_deps_set(&d->deps, NTH_READY, 0);
  nth_processor_count(&k->made, 1); /* processor:D */
  nth_lrq_push(&k->lrq, d);
  nth_machine_wake(k);
  return 0;
}

/* q: the queue of a domain of `to`; NULL: the queue of `to` itself. */
static NTH_HOT int put(struct nth_runner *r, struct nth_processor *to, struct nth_domain_queue *q,
                       struct nth_desc *first, struct nth_desc *last, bool at_end) {
  struct nth_batch batch;
  int error = mark(first, last, &batch);
  if (nth_unlikely(error))
    return error;
  nth_assert(batch.size > 0 && nth_deps_is(&last->deps, NTH_READY));
  count_made(r, batch.size);
  if (q) {
    nth_add_rlx(&q->ready.put, batch.size);
    nth_lrq_put(&q->lrq, &batch, at_end);
  } else if (r->processor != to || at_end)
    nth_lrq_put(&to->lrq, &batch, at_end);
  else
    nth_lrq_push_batch(&to->lrq, &batch);
  nth_machine_wake(to);
  return 0;
}

/* *r becomes the caller. Returns 0: there is such a processor, and a batch. */
static inline int check_put(struct nth_runner **r, int which, const struct nth_desc *first,
                            const struct nth_desc *last) {
  int error;
  *r = nth_runner_get(&error);
  if (nth_unlikely(!*r))
    return error;
  return nth_likely(first && last && (unsigned)which < nth_machine.processors) ? 0 : EINVAL;
}

int nth_nano_put(int which, struct nth_desc *first, struct nth_desc *last, bool at_end) {
  struct nth_runner *r;
  int error = check_put(&r, which, first, last);
  if (nth_unlikely(error))
    return error;
  struct nth_processor *to = nth_machine.processor[which];
  return first == last && r->processor == to && !at_end ? put_own(to, first)
                                                        : put(r, to, 0, first, last, at_end);
}

int nth_nano_aim(int which, int level, struct nth_desc *first, struct nth_desc *last, bool at_end) {
  struct nth_runner *r;
  int error = check_put(&r, which, first, last);
  if (nth_unlikely(error))
    return error;
  struct nth_processor *to = nth_machine.processor[which];
  nth_assert(to->route.path > 0);
  uint32_t at = level < 0 ? to->route.path - 1u : (uint32_t)level;
  if (at >= to->route.path)
    return EINVAL;
  struct nth_domain_queue *q = nth_machine_domain(to->route.node[at].begin);
  if (at == 0 && q->processors == 1)
    return nth_nano_put(which, first, last, at_end);
  return put(r, to, q, first, last, at_end);
}

/* --- wait --- */

int nth_nano_depend(struct nth_node *node, long n) {
  if (!node || n < 0)
    return EINVAL;
  return (unsigned long)n > NTH_DEPS_MOST ? EOVERFLOW : nth_deps_add(&node->deps, (uint32_t)n);
}

int nth_nano_block(void) {
  int error;
  struct nth_runner *r = nth_runner_get(&error);
  if (!r)
    return error;
  return r->processor ? nth_processor_block(r->processor) : nth_block_outside(r);
}
