/* struct.c - the structures of runtime/struct, one thread at a time: results, limits, wrap-around
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"

#include <string.h>

#include "runtime/struct/bell.h"
#include "runtime/struct/djs.h"
#include "runtime/struct/mutex.h"
#include "runtime/struct/range.h"
#include "runtime/struct/tally.h"
#include "runtime/struct/wdarray.h"

/* --- wdarray --- */

static void work(void *data) { (void)data; }

/* An array that has put `epoch` descriptors, as if it had lived that long. */
static struct nth_wdarray *array_at(uint32_t epoch) {
  static struct nth_wdarray a;
  memset(&a, 0, sizeof a);
  for (uint32_t e = epoch - NTH_WD_SLOTS + 1; e != epoch + 1; e++)
    nth_store_rlx(&a.slot[e % NTH_WD_SLOTS].stamp, e);
  a.epoch = epoch;
  return &a;
}

static void put(struct nth_wdarray *a, uintptr_t n, uint32_t addressee) {
  struct nth_wd wd = {work, (void *)n, n + 1, addressee};
  nth_wdarray_put(a, &wd);
  unit_check(nth_wdarray_valid(a));
}

static void is_wd(const struct nth_wd *wd, uintptr_t n, uint32_t addressee) {
  unit_check(wd->fn == work && wd->data == (void *)n && wd->owner == n + 1);
  unit_check(wd->addressee == addressee);
}

/* A new array: nothing to get, then what was put, in order, once. */
static void wdarray_lwd(void) {
  static struct nth_wdarray a;
  struct nth_wd wd;
  uint32_t position = nth_wdarray_start(&a);
  unit_check(nth_wdarray_valid(&a) && position == 1);
  unit_check(!nth_wdarray_ready(&a, position));
  unit_check(!nth_wdarray_get(&a, &position, false, 0, &wd));
  for (uint32_t n = 1; n <= 5 * NTH_WD_SLOTS; n++) {
    put(&a, n, 7);
    unit_check(nth_wdarray_ready(&a, position));
    unit_check(nth_wdarray_get(&a, &position, false, 0, &wd));
    is_wd(&wd, n, 7);
    unit_check(position == n + 1 && !nth_wdarray_ready(&a, position));
    unit_check(!nth_wdarray_get(&a, &position, false, 0, &wd));
  }
}

/* As many as there are slots may wait; a reader that starts later gets later ones only. */
static void wdarray_full(void) {
  static struct nth_wdarray a;
  struct nth_wd wd;
  uint32_t first = nth_wdarray_start(&a);
  for (uint32_t n = 0; n < NTH_WD_SLOTS; n++)
    put(&a, n, n);
  uint32_t late = nth_wdarray_start(&a);
  for (uint32_t n = 0; n < NTH_WD_SLOTS; n++) {
    unit_check(nth_wdarray_get(&a, &first, false, 0, &wd));
    is_wd(&wd, n, n);
  }
  unit_check(!nth_wdarray_ready(&a, late) && late == first);
}

/* Epochs pass UINT32_MAX and 0 like any other. */
static void wdarray_wrap(void) {
  struct nth_wdarray *a = array_at(UINT32_MAX - 5);
  struct nth_wd wd;
  uint32_t position = nth_wdarray_start(a);
  unit_check(nth_wdarray_valid(a));
  for (uint32_t n = 0; n < 12; n++) {
    unit_check(!nth_wdarray_ready(a, position));
    unit_check(!nth_wdarray_get(a, &position, false, 0, &wd));
    put(a, n, 3);
    unit_check(nth_wdarray_ready(a, position));
    unit_check(nth_wdarray_get(a, &position, false, 0, &wd));
    is_wd(&wd, n, 3);
  }
  unit_check(a->epoch == 6 && position == 7);
}

/* GWD: members of the team get it, the others step over it. */
static void wdarray_gwd_members(void) {
  static struct nth_wdarray a;
  struct nth_wd wd;
  uint32_t first = nth_wdarray_start(&a);
  put(&a, 1, 3);
  for (uint32_t member = 1; member < 5; member++) {
    uint32_t position = first;
    unit_check(nth_wdarray_get(&a, &position, true, member, &wd) == (member < 3));
    unit_check(position == first + 1);
    if (member < 3)
      is_wd(&wd, 1, 3);
  }
}

/* A bystander that was away for `missed` regions gets the next one that is meant for it. */
static void lapped(struct nth_wdarray *a, uint32_t missed) {
  struct nth_wd wd;
  uint32_t position = nth_wdarray_start(a), calls = 0;
  for (uint32_t n = 0; n < missed; n++)
    put(a, n, 2);
  put(a, 1000, 6);
  while (!nth_wdarray_get(a, &position, true, 5, &wd)) {
    unit_check(nth_wdarray_ready(a, position));
    unit_check(++calls < 4 * NTH_WD_SLOTS);
  }
  is_wd(&wd, 1000, 6);
  unit_check(position == nth_wdarray_start(a));
  unit_check(!nth_wdarray_ready(a, position));
}

static void wdarray_gwd_lapped(void) {
  for (uint32_t missed = 0; missed < 4 * NTH_WD_SLOTS; missed++) {
    lapped(array_at(100), missed);
    for (uint32_t before = 0; before < 3 * NTH_WD_SLOTS; before++)
      lapped(array_at(UINT32_MAX - before), missed);
  }
}

/* A bystander that has missed any number of descriptors, more than 2^31 too, finds the next. */
static void wdarray_gwd_slept(void) {
  for (uint32_t missed = NTH_WD_SLOTS; missed < UINT32_MAX - 0x1000000; missed += 0xfffffd) {
    struct nth_wdarray *a = array_at(100);
    uint32_t position = nth_wdarray_start(a) - missed, calls = 0;
    struct nth_wd wd;
    unit_check(nth_wdarray_ready(a, position));
    put(a, 1000, 6);
    while (!nth_wdarray_get(a, &position, true, 5, &wd))
      unit_check(++calls < 4 * NTH_WD_SLOTS);
    is_wd(&wd, 1000, 6);
    unit_check(position == nth_wdarray_start(a));
  }
}

/* _valid() says no to what must not be. */
static void wdarray_invalid(void) {
  struct nth_wdarray *a = array_at(100);
  nth_store_rlx(&a->slot[1].stamp, 102); /* in the wrong slot */
  unit_check(!nth_wdarray_valid(a));
  a = array_at(100);
  nth_store_rlx(&a->slot[104 % NTH_WD_SLOTS].stamp, 104); /* not put yet */
  unit_check(!nth_wdarray_valid(a));
}

/* --- djs --- */

static void djs_counts(void) {
  static struct nth_djs d;
  uint32_t ticket;
  nth_store_rlx(&d.count, 0x7ffffffe);
  for (uint32_t n = 0x7fffffff; n != 0x80000003; n++) { /* past the 31 bits */
    unit_check(!nth_djs_done(&d, n));
    nth_djs_arrive(&d, n);
    unit_check(nth_djs_done(&d, n));
    unit_check(nth_djs_done(&d, n & ~NTH_DJS_SLEEP));
    unit_check(!nth_djs_done(&d, n + 1));
    unit_check(!nth_djs_announce(&d, n, &ticket)); /* no sleep when it is done */
  }
  unit_check(nth_load_rlx(&d.count) == 2);
}

/* Whoever roused or arrived leaves no sleep bit behind. */
static void djs_rouse(void) {
  static struct nth_djs d;
  uint32_t ticket;
  nth_djs_rouse(&d);
  unit_check(nth_load_rlx(&d.count) == 0);
  unit_check(nth_djs_announce(&d, 1, &ticket) && ticket == NTH_DJS_SLEEP);
  unit_check(nth_djs_announce(&d, 1, &ticket) && ticket == NTH_DJS_SLEEP);
  unit_check(!nth_djs_done(&d, 1));
  nth_djs_rouse(&d);
  unit_check(nth_load_rlx(&d.count) == 0);
  nth_djs_sleep(&d, ticket, 0); /* an old ticket: no sleep */
  unit_check(nth_djs_announce(&d, 1, &ticket));
  nth_djs_arrive(&d, 1);
  unit_check(nth_load_rlx(&d.count) == 1 && nth_djs_done(&d, 1));
}

/* --- bell --- */

static void bell_alone(void) {
  static struct nth_bell b;
  nth_store_rlx(&b.seq, UINT32_MAX);
  nth_bell_ring(&b, 1);
  unit_check(nth_load_rlx(&b.seq) == UINT32_MAX); /* nobody is there */
  uint32_t ticket = nth_bell_enter(&b);
  unit_check(ticket == UINT32_MAX && nth_bell_valid(&b));
  nth_bell_ring(&b, 1);
  unit_check(nth_load_rlx(&b.seq) == 0);
  nth_bell_sleep(&b, ticket, 0);  /* rung since: no sleep */
  nth_bell_sleep(&b, 0, 1000000); /* not rung: the time limit */
  nth_bell_leave(&b);
  unit_check(nth_load_rlx(&b.sleepers) == 0 && nth_bell_valid(&b));
  nth_store_rlx(&b.sleepers, UINT32_MAX); /* one leave too many */
  unit_check(!nth_bell_valid(&b));
}

/* --- range --- */

static void range_take(void) {
  static struct nth_range r;
  uint32_t unit = 99;
  nth_range_set(&r, 0, 0);
  unit_check(!nth_range_take(&r, &unit));
  nth_range_set(&r, 5, 8);
  for (uint32_t n = 5; n < 8; n++)
    unit_check(nth_range_take(&r, &unit) && unit == n);
  for (int i = 0; i < 3; i++)
    unit_check(!nth_range_take(&r, &unit));
}

/* Several at once, but 1/8 of what is left and one at most; at the end as many as there are. */
static void range_take_some(void) {
  static struct nth_range r;
  uint32_t unit, next, end;
  nth_range_set(&r, 0, 100);
  unit_check(nth_range_take_some(&r, 5, 3, &unit) == 5 && unit == 0);
  unit_check(nth_range_take_some(&r, 16, 3, &unit) == 95 / 8 + 1 && unit == 5);
  uint32_t at = unit + 12, some;
  while ((some = nth_range_take_some(&r, 16, 3, &unit)) > 0) {
    unit_check(unit == at && some <= (100 - at) / 8 + 1);
    at += some;
  }
  unit_check(at == 100);
  nth_range_set(&r, 10, 13);
  unit_check(nth_range_take_some(&r, 16, 0, &unit) == 3 && unit == 10);
  unit_check(nth_range_take_some(&r, 16, 0, &unit) == 0);
  unit_check(!nth_range_steal(&r, &next, &end) && nth_range_left(&r) == 0);
}

/* The far half, rounded up, until the last unit; then nothing. */
static void range_steal(void) {
  static struct nth_range r;
  uint32_t next, end, left = 9;
  nth_range_set(&r, 10, 10 + left);
  while (left > 0) {
    unit_check(nth_range_steal(&r, &next, &end));
    unit_check(end == 10 + left && end - next == (left + 1) / 2);
    left /= 2;
  }
  unit_check(!nth_range_steal(&r, &next, &end));
  nth_range_give(&r, 3, 4);
  unit_check(nth_range_take(&r, &next) && next == 3);
  unit_check(!nth_range_steal(&r, &next, &end));
}

/* The largest range: a failed take past its end does not carry into the end. */
static void range_limit(void) {
  static struct nth_range r;
  uint32_t next, end, unit;
  nth_range_set(&r, NTH_RANGE_MAX - 1, NTH_RANGE_MAX);
  unit_check(nth_range_take(&r, &unit) && unit == NTH_RANGE_MAX - 1);
  nth_add_rlx(&r.word, NTH_RANGE_MAX); /* as an owner whose units were stolen meanwhile (I3) */
  unit_check(!nth_range_take(&r, &unit) && !nth_range_steal(&r, &next, &end));
  unit_check(nth_load_rlx(&r.word) >> 32 == NTH_RANGE_MAX);
}

/* --- tally --- */

static void tally_counts(void) {
  static struct nth_tally t;
  nth_tally_add_own(&t);
  nth_tally_add_own(&t);
  nth_tally_add(&t);
  unit_check(nth_tally_left(&t) == 3 && nth_tally_valid(&t));
  nth_tally_sub_own(&t, 1);
  unit_check(nth_tally_sub(&t, 1) == NTH_TALLY_NOTHING && nth_tally_left(&t) == 1);
  nth_tally_sleeps(&t);
  unit_check(nth_tally_left(&t) == 1 && nth_tally_sub(&t, 1) == NTH_TALLY_WAKE);
  nth_tally_wakes(&t);
  unit_check(nth_tally_close(&t)); /* nothing is left */
  nth_tally_add_own(&t);
  nth_tally_add_own(&t);
  unit_check(!nth_tally_close(&t));
  unit_check(nth_tally_sub(&t, 1) == NTH_TALLY_NOTHING && nth_tally_sub(&t, 1) == NTH_TALLY_ZERO);
}

/* An owner that has made any number of them, finished by others all but one: it is not closed. */
static void tally_wrap(void) {
  static struct nth_tally t;
  for (uint64_t made = 1; made < UINT64_C(1) << 34; made = made * 3 / 2 + 1) {
    t.own = (uint32_t)made;
    nth_store_rlx(&t.others, 0u - NTH_TALLY_ONE * (uint32_t)(made - 1));
    unit_check(nth_tally_left(&t) == 1 && nth_tally_valid(&t));
    unit_check(nth_tally_sub(&t, 1) == NTH_TALLY_NOTHING && nth_tally_left(&t) == 0);
    nth_tally_add_own(&t);
    unit_check(!nth_tally_close(&t) && nth_tally_sub(&t, 1) == NTH_TALLY_ZERO);
  }
  /* the one that looks most like a closed one */
  t.own = 2;
  nth_store_rlx(&t.others, NTH_TALLY_ONE);
  unit_check(nth_tally_sub(&t, 1) == NTH_TALLY_NOTHING);
}

/* --- mutex --- */

static void mutex_states(void) {
  static struct nth_mutex m; /* zero is a free one */
  unit_check(nth_mutex_try(&m) && nth_load_rlx(&m.word) == NTH_MUTEX_TAKEN);
  unit_check(!nth_mutex_try(&m));
  nth_mutex_unlock(&m);
  unit_check(nth_load_rlx(&m.word) == 0);
  nth_mutex_lock(&m);
  unit_check(!nth_mutex_try(&m) && nth_load_rlx(&m.word) == NTH_MUTEX_TAKEN);
  nth_mutex_unlock(&m);
  nth_mutex_init(&m);
  unit_check(nth_mutex_try(&m));
}

int main(void) {
  unit_begin();
  unit_run(wdarray_lwd);
  unit_run(wdarray_full);
  unit_run(wdarray_wrap);
  unit_run(wdarray_gwd_members);
  unit_run(wdarray_gwd_lapped);
  unit_run(wdarray_gwd_slept);
  unit_run(wdarray_invalid);
  unit_run(djs_counts);
  unit_run(djs_rouse);
  unit_run(bell_alone);
  unit_run(range_take);
  unit_run(range_take_some);
  unit_run(range_steal);
  unit_run(range_limit);
  unit_run(tally_counts);
  unit_run(tally_wrap);
  unit_run(mutex_states);
  return 0;
}
