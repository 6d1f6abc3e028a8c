/* region_price.c - how many members a short region is worth, construct by construct
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/team/region_price.h"

#include <stdbool.h>

#include "runtime/arch/section.h"
#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/config.h"
#include "runtime/omp/taskloop/price.h"

/* w, r: masters, all fields */
struct region_price {
  _Atomic(uintptr_t) site;
  _Atomic(uint32_t) asked;
  _Atomic(uint32_t) size;     /* members of a region */
  _Atomic(uint32_t) other;    /* on trial; 0: no trial. I1 */
  _Atomic(uint32_t) step;     /* regions of the trial that have ended */
  _Atomic(uint32_t) calm;     /* short regions in a row */
  _Atomic(uint32_t) calm_due; /* from which a trial begins; doubles when fewer members took long */
  _Atomic(bool) upwards;      /* the next trial has more members */
  _Atomic(uint64_t) least[2]; /* of the trial, ns: with `size`, with `other` */
  _Atomic(uint64_t) next_at;  /* when the next trial may begin, ns */
  _Atomic(uint64_t) pause;    /* between a trial in vain and the next one */
};
static _Alignas(NTH_APART) struct region_price prices[NTH_PRICE_ROWS] NTH_SPARSE;

static bool is_of(const struct region_price *p, uintptr_t site, uint32_t asked) {
  return nth_load_rlx(&p->site) == site && nth_load_rlx(&p->asked) == asked;
}

/* Another construct takes the row, or this one asks for another number. */
static void begin(struct region_price *p, uintptr_t site, uint32_t asked) {
  nth_store_rlx(&p->site, site);
  nth_store_rlx(&p->asked, asked);
  nth_store_rlx(&p->size, asked);
  nth_store_rlx(&p->other, 0);
  nth_store_rlx(&p->calm, 0);
  nth_store_rlx(&p->calm_due, NTH_PRICE_CALM);
  nth_store_rlx(&p->upwards, false);
  nth_store_rlx(&p->next_at, 0);
  nth_store_rlx(&p->pause, NTH_PRICE_AGAIN_NS);
}

static void begin_trial(struct region_price *p, uint32_t size, uint64_t now) {
  uint32_t asked = nth_load_rlx(&p->asked);
  bool up = size == 1 || (size < asked && nth_load_rlx(&p->upwards));
  uint32_t other = up ? 2 * size : (size + 1) / 2;
  uint64_t pause = nth_load_rlx(&p->pause);
  nth_store_rlx(&p->upwards, up);
  nth_store_rlx(&p->other, other < asked ? other : asked);
  nth_store_rlx(&p->step, 0);
  nth_store_rlx(&p->least[0], UINT64_MAX);
  nth_store_rlx(&p->least[1], UINT64_MAX);
  nth_store_rlx(&p->next_at, now + pause); /* after a gain end_trial() makes it 0 */
}

static void end_trial(struct region_price *p, uint32_t other) {
  uint64_t mine = nth_load_rlx(&p->least[0]), its = nth_load_rlx(&p->least[1]);
  nth_store_rlx(&p->other, 0);
  if (its < mine - mine / 16) {
    nth_store_rlx(&p->size, other);
    nth_store_rlx(&p->pause, NTH_PRICE_AGAIN_NS);
    nth_store_rlx(&p->next_at, 0);
    return;
  }
  uint64_t pause = nth_load_rlx(&p->pause);
  nth_store_rlx(&p->upwards, !nth_load_rlx(&p->upwards));
  nth_store_rlx(&p->pause, pause < NTH_PRICE_AGAIN_MOST_NS ? 2 * pause : pause);
}

uint32_t nth_region_price_members(uintptr_t site, uint32_t asked, uint64_t now, uint64_t *ticket) {
  uint32_t row = nth_price_row(site);
  struct region_price *p = &prices[row];
  *ticket = now << NTH_PRICE_ROW_BITS | row;
  nth_assert(asked > 1);
  if (nth_unlikely(!is_of(p, site, asked)))
    begin(p, site, asked);
  uint32_t size = nth_load_rlx(&p->size), other = nth_load_rlx(&p->other);
  size = nth_likely(size != 0) ? size : asked; /* another master begins the row */
  if (other == 0 && nth_load_rlx(&p->calm) >= nth_load_rlx(&p->calm_due) &&
      now >= nth_load_rlx(&p->next_at)) {
    begin_trial(p, size, now);
  } else if (other != 0 && nth_load_rlx(&p->step) >= NTH_PRICE_TRIAL) {
    size = other;
  }
  return size < asked ? size : asked;
}

/* A region of the trial has ended. */
static void learn_trial(struct region_price *p, uint32_t other, uint32_t members, uint64_t ns) {
  uint32_t step = nth_load_rlx(&p->step), turn = step >= NTH_PRICE_TRIAL;
  if (members != (turn ? other : nth_load_rlx(&p->size)))
    return;
  if (step % NTH_PRICE_TRIAL != 0 && ns < nth_load_rlx(&p->least[turn]))
    nth_store_rlx(&p->least[turn], ns);
  nth_store_rlx(&p->step, step + 1);
  if (step + 1 >= 2 * NTH_PRICE_TRIAL)
    end_trial(p, other);
}

static void learn_long(struct region_price *p, bool fewer) {
  uint32_t calm_due = nth_load_rlx(&p->calm_due);
  nth_store_rlx(&p->calm, 0);
  nth_store_rlx(&p->other, 0);
  nth_store_rlx(&p->size, nth_load_rlx(&p->asked));
  if (fewer && calm_due < NTH_PRICE_CALM_MOST)
    nth_store_rlx(&p->calm_due, 2 * calm_due);
}

void nth_region_price_learn(uint64_t ticket, uint32_t members, uint64_t now) {
  struct region_price *p = &prices[ticket & (NTH_PRICE_ROWS - 1)];
  /* the ticket lacks the clock's first bits */
  uint64_t ns = (now - (ticket >> NTH_PRICE_ROW_BITS)) & UINT64_MAX >> NTH_PRICE_ROW_BITS;
  uint32_t asked = nth_load_rlx(&p->asked);
  nth_assert(members > 0 && asked > 1);
  uint32_t calm = nth_load_rlx(&p->calm), other = nth_load_rlx(&p->other);
  if (ns >= NTH_PRICE_SHORT_NS)
    learn_long(p, members < asked);
  else if (other != 0)
    learn_trial(p, other, members, ns);
  else if (calm < NTH_PRICE_CALM_MOST)
    nth_store_rlx(&p->calm, calm + 1);
}
