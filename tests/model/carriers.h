/* carriers.h - a family of carriers for the models of nano-thread members
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Use         The harness is compiled with MODEL_CARRIED and linked with the runtime's own sources;
 *             here is what those want besides. base/sleep.h is the real one. Contexts are threads
 *             of the model: one that nobody runs is parked.
 */
#ifndef NTH_MODEL_CARRIERS_H
#define NTH_MODEL_CARRIERS_H

#include "tests/model/model.h"

#include "runtime/base/sleep.h"
#include "runtime/sched/adapt/crowd.h"
#include "runtime/sched/nano/carrier.h"
#include "runtime/sched/nano/carry.h"
#include "runtime/sched/nano/handlers.h"
#include "runtime/sched/nano/overflow.h"
#include "runtime/sched/nano/watchdog.h"
#include "tests/model/stubs_wait.h"

enum { MODEL_CARRIERS_MOST = 2 };

struct model_family {
  struct nth_family family;
  _Atomic(struct nth_carrier *) place[MODEL_CARRIERS_MOST]; /* family.carrier[] */
};

uint64_t model_look_ns = UINT64_MAX;

struct nth_wait_config nth_wait_config;

bool nth_crowded(void) { return false; }
int nth_cpus_bind(int thread, const uint64_t *word, uint32_t words) {
  return (void)thread, (void)word, (void)words, 0;
}

void nth_overflow_begin(void) {}
bool nth_handlers_watch(struct nth_carrier *carriers, bool ask) {
  (void)carriers;
  return (void)ask, false;
}
void nth_handlers_forked(struct nth_carrier *carriers) { (void)carriers; }
void nth_overflow_thread(struct nth_carrier *c) { (void)c; }
void nth_overflow_leave(struct nth_carrier *c) { (void)c; }

#ifndef MODEL_WATCHDOG
_Atomic(uint32_t) nth_watch_armed;
void nth_watch_arm_slow(void) { model_check(!"it is armed"); }
#endif

/* --- contexts --- */

void nth_switch_begin(void) {}

/* The thread's number stands for its stack. */
static inline void *model_stack(uint32_t thread) { return (void *)(uintptr_t)(thread + 1); }

void nth_switch(void **save, void *to, uintptr_t pointer) {
  (void)pointer;
  uint32_t me = model_thread();
  *save = model_stack(me);
  nth_model_bridge->park(me);
  nth_model_bridge->go_on((uint32_t)(uintptr_t)to - 1);
  nth_model_bridge->await();
}

/* --- setup --- */

static inline void model_carrier_setup(uint32_t i, struct nth_carrier *c, struct model_family *f) {
  MODEL_ATOM_AT(i, c->place);
  MODEL_ATOM_AT(i, c->domain);
  MODEL_ATOM_AT(i, c->lock.word);
  MODEL_ATOM_AT(i, c->queued);
  MODEL_ATOM_AT(i, c->current);
  MODEL_ATOM_AT(i, c->switches);
  MODEL_ATOM_AT(i, c->seen);
  MODEL_ATOM_AT(i, c->alarm);
  MODEL_ATOM_AT(i, c->asleep);
  MODEL_ATOM_AT(i, c->helps);
  c->family = &f->family;
}

static inline void model_family_setup(struct model_family *f, uint32_t capacity) {
  nth_store_rlx(&f->family.capacity, capacity);
  f->family.room = capacity;
  for (uint32_t i = 0; i < MODEL_CARRIERS_MOST; i++)
    MODEL_ATOM_AT(i, f->family.carrier[i]);
  MODEL_ATOM(f->family.asleep);
  MODEL_ATOM(f->family.apart);
  MODEL_ATOM(f->family.size);
}

/* Variables of the runtime's, which the last execution has left as they are. */
static inline void model_sleep_setup(bool by_news) {
  nth_store_rlx(&nth_sleepers, 0);
  nth_store_rlx(&nth_sleep_news, 0);
  nth_store_rlx(&nth_watch_armed, 1);
  nth_store_rlx(&nth_carrier_special, 0);
  MODEL_ATOM(nth_carrier_special);
  MODEL_ATOM(nth_sleepers);
  MODEL_ATOM(nth_sleep_news);
  MODEL_ATOM(nth_sleep_hook);
  MODEL_ATOM(nth_watch_armed);
  nth_carry_begin(false);
  nth_sleep_by_news = by_news;
}

/* c serves the family, as its i-th carrier. */
static inline void model_regular(uint32_t i, struct nth_carrier *c, struct model_family *f) {
  nth_store_rlx(&c->regular, true);
  nth_store_rlx(&f->family.carrier[i], c);
  nth_store_rlx(&f->family.size, i + 1);
}

static inline void model_identity_setup(uint32_t i, struct nth_identity *x,
                                        struct nth_carrier *own) {
  MODEL_ATOM_AT(i, x->carrier);
  MODEL_ATOM_AT(i, x->pinned);
  x->own = own;
  nth_store_rlx(&x->carrier, own);
}

static inline void model_sleep_finish(const struct model_family *f) {
  model_check(nth_load_rlx(&nth_sleepers) == 0 && nth_load_rlx(&f->family.asleep) == 0);
}

#endif
