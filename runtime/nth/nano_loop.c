/* nano_loop.c - a loop on the processors: a nano-thread for each of them, which takes chunks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/nth/nano_loop.h"

#include <errno.h>

#include "runtime/base/check.h"
#include "runtime/mem/heap.h"
#include "runtime/nth/machine.h"
#include "runtime/nth/nano.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/types/generation.h"
#include "runtime/struct/chunks.h"
#include "runtime/struct/cut.h"

/* A loop that runs. w: its caller, before it queues the owners */
struct running {
  struct nth_nano_loop form;
  struct nth_desc wait;     /* stands for the caller */
  struct nth_chunks chunks; /* last, since it ends with the ranges */
};

/* --- a nano-thread of the loop --- */

static void work(struct running *l, long owner);

/* Makes d an owner's nano-thread. */
static void make(struct nth_desc *d, struct running *l, uintptr_t owner) {
  nth_assert(nth_deps_state(&d->deps) <= NTH_GOT);
  d->fn = (void (*)(void))work;
  d->next = &nth_nano_end;
  d->nsucc = 1;
  d->narg = 2;
  d->word[0] = (uintptr_t)&l->wait;
  d->word[1] = (uintptr_t)l;
  d->word[2] = owner;
  nth_deps_set(&d->deps, NTH_MADE, 0);
}

/* Another nano-thread goes on in place of the calling one; false: no memory for it. */
static bool pass_on(struct nth_processor *k, struct running *l, uintptr_t owner) {
  struct nth_series one;
  if (!nth_nano_gather(k->pool, 1, &one))
    return false;
  make(one.first, l, owner);
  k->runner.current->nsucc = 0; /* I2 */
  int error = nth_nano_put((int)k->number, one.first, one.first, true);
  nth_assert(error == 0);
  (void)error;
  return true;
}

static void work(struct running *l, long owner) {
  struct nth_processor *k = nth_runner_self->processor;
  uint64_t begin, end, base = (uint64_t)l->form.begin;
  while (nth_chunks_take(&l->chunks, (uint32_t)owner, &begin, &end)) {
    l->form.body((long)(base + begin), (long)(base + end), l->form.data);
    if (nth_unlikely(k->generation != nth_fork_generation))
      return;
    nth_assert(nth_processor_is_mine(k));
    nth_store_rlx(&k->away.came, nth_load_rlx(&k->away.came) + 1);
    if (nth_away_due(k, k->number) && pass_on(k, l, (uintptr_t)owner))
      return;
  }
}

/* --- the caller --- */

/* The kind, chunk and parts of the loop. */
static void cut(struct nth_chunks *c, uint32_t schedule, uint64_t chunk) {
  if (schedule == NTH_SCHED_RUNTIME) {
    const struct nth_icv *icv = nth_icv_read();
    schedule = icv->run_sched & ~NTH_SCHED_MONOTONIC;
    chunk = icv->run_chunk > 0 ? (uint64_t)icv->run_chunk : 0;
  }
  nth_assert(nth_sched_known(schedule));
  c->chunk = chunk;
  c->parts = c->owners;
  switch (schedule) {
  case NTH_SCHED_AUTO: c->kind = NTH_CHUNKS_BLOCK; break;
  case NTH_SCHED_STATIC: c->kind = chunk == 0 ? NTH_CHUNKS_BLOCK : NTH_CHUNKS_CYCLIC; break;
  case NTH_SCHED_DYNAMIC: c->kind = NTH_CHUNKS_DYNAMIC; break;
  case NTH_SCHED_GUIDED:
  case NTH_SCHED_GSS:
    c->kind = NTH_CHUNKS_GUIDED;
    c->parts = nth_cut_parts(schedule == NTH_SCHED_GSS, c->owners);
    break;
  case NTH_SCHED_TRAPEZOID: c->kind = NTH_CHUNKS_TRAPEZOID; break;
  case NTH_SCHED_AFFINITY:
    c->kind = NTH_CHUNKS_AFFINITY;
    c->parts = chunk == 0 ? c->owners : chunk < NTH_RANGE_MAX ? (uint32_t)chunk : NTH_RANGE_MAX;
    c->chunk = 1; /* of iterations */
    break;
  default: __builtin_unreachable(); /* nth_sched_known() */
  }
  nth_chunks_set(c);
}

/* A loop for `owners`, none of which is queued; NULL: no memory. */
static struct running *begin(const struct nth_nano_loop *form, uint32_t owners) {
  size_t fixed = sizeof(struct running) - sizeof(struct nth_chunks);
  struct running *l = nth_heap_alloc(fixed + nth_chunks_size(owners));
  if (!l)
    return 0;
  l->form = *form;
  l->chunks.owners = owners;
  l->chunks.trips = (uint64_t)form->end - (uint64_t)form->begin;
  cut(&l->chunks, form->schedule, (uint64_t)form->chunk);
  return l;
}

/* Queues a nano-thread for each owner, and waits for all. */
static int run(struct nth_runner *r, struct running *l) {
  struct nth_desc *caller = r->current, *d;
  struct nth_series all;
  uint32_t owners = l->chunks.owners;
  if (r->processor && !nth_processor_prepare(r->processor)) /* nth_block() would not wait */
    return ENOMEM;
  if (!nth_nano_gather(nth_runner_pool(r), owners, &all))
    return ENOMEM;
  nth_deps_set(&l->wait.deps, NTH_RUNS, owners + 1);
  r->current = &l->wait;
  for (uint32_t i = 0; i < owners; i++) {
    d = nth_series_pop(&all);
    make(d, l, i);
    int error = nth_nano_put((int)i, d, d, false);
    nth_assert(error == 0);
    (void)error;
  }
  int error = nth_nano_block();
  r->current = caller;
  nth_assert(error == 0 || error == ECHILD);
  return error;
}

int nth_nano_loop(const struct nth_nano_loop *form) {
  int error;
  struct nth_runner *r = nth_runner_get(&error);
  if (!r)
    return error;
  if (!form->body || form->chunk < 0 ||
      !(form->schedule == NTH_SCHED_RUNTIME || nth_sched_known(form->schedule)))
    return EINVAL;
  if (form->begin >= form->end)
    return 0;
  uint64_t trips = (uint64_t)form->end - (uint64_t)form->begin;
  uint32_t n = nth_machine.processors;
  struct running *l = begin(form, trips < n ? (uint32_t)trips : n);
  if (!l)
    return ENOMEM;
  error = run(r, l);
  nth_heap_free(l);
  return error;
}
