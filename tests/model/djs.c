/* djs.c - model of runtime/struct/djs.h: arrivals seen with the slave's writes, no lost wake-up
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/model/model.h"

#include "runtime/struct/djs.h"

/* Counts wrap at 29 bits; the join crosses that point. */
enum { BEFORE = 0x1fffffff };

static struct world {
  struct nth_djs slot;
  _Atomic(uint32_t) wanted, come, closed;
  int result; /* plain: written by the slave, read by the master after the join */
} w;

static void setup(void) {
  nth_store_rlx(&w.slot.count, BEFORE);
  MODEL_ATOM(w.slot.count);
  MODEL_ATOM(w.wanted);
  MODEL_ATOM(w.come);
  MODEL_ATOM(w.closed);
  MODEL_NAME(w.result);
}

static void join(uint32_t expect) {
  uint32_t ticket;
  while (!nth_djs_done(&w.slot, expect)) {
    if (nth_djs_announce(&w.slot, expect, &ticket))
      nth_djs_sleep(&w.slot, ticket, 0);
  }
}

static void master_once(void) {
  join(BEFORE + 1u);
  model_check(w.result == 1);
}

/* Two descriptors at once: the first arrival must neither end the join nor strand the master. */
static void master_twice(void) {
  join(BEFORE + 2u);
  model_check(w.result == 2);
}

static void slave_once(void) {
  w.result = 1;
  nth_djs_arrive(&w.slot, BEFORE + 1u);
}

static void slave_twice(void) {
  slave_once();
  w.result = 2;
  nth_djs_arrive(&w.slot, BEFORE + 2u);
}

static void rouser(void) { nth_djs_rouse(&w.slot); }

/* --- a rouser with a reason: the master sees it, or is roused --- */

static void master_wanted(void) {
  uint32_t ticket;
  while (nth_load_acq(&w.wanted) == 0) {
    if (!nth_djs_announce(&w.slot, BEFORE + 1u, &ticket))
      continue;
    nth_fence_full();
    if (nth_load_acq(&w.wanted) == 0)
      nth_djs_sleep(&w.slot, ticket, 0);
  }
  nth_store_rel(&w.come, 1);
  master_once();
}

static void slave_waits(void) {
  while (nth_load_acq(&w.come) == 0)
    model_idle();
  slave_once();
}

static void wanting(void) {
  nth_store_rel(&w.wanted, 1);
  nth_fence_full();
  nth_djs_rouse(&w.slot);
}

/* --- a slot that has a new slave while the old one still looks: I4 --- */

/* The old slave looks, finds its region over, and leaves. */
static void late(void) {
  if (nth_djs_come_back(&w.slot, BEFORE))
    while (!nth_djs_leave(&w.slot, BEFORE)) {}
}

/* The new slave arrives, comes back once, and reads what the region's members share. */
static void slave_back(void) {
  uint32_t closed = nth_load_rlx(&w.closed);
  slave_once();
  if (!nth_djs_come_back(&w.slot, BEFORE + 1u))
    return;
  nth_fence_full(); /* team:L */
  if (nth_load_acq(&w.closed) == closed)
    model_check(w.result == 1);
  model_check(nth_djs_leave(&w.slot, BEFORE + 1u)); /* nobody calls */
}

/* The master closes the region as team.c does, and changes what the members share. */
static void master_closes(void) {
  do {
    while (!nth_djs_done(&w.slot, BEFORE + 1u))
      model_idle();
    nth_store_rel(&w.closed, nth_load_rlx(&w.closed) + 1);
    nth_fence_full(); /* team:L */
  } while (!nth_djs_done(&w.slot, BEFORE + 1u));
  w.result = 2;
}

/* A maker of tasks calls nobody: the new slave does not come back, the old one would not look. */
static void calls(void) { model_check(!nth_djs_call(&w.slot, BEFORE + 1u)); }

static void finish(void) {
  uint32_t count = nth_load_rlx(&w.slot.count);
  model_check(count == 0 || count == 1); /* and no sleep bit is left */
}

MODEL_CASES = {
    {"once", 2, MODEL_ALL, MODEL_WORLD, setup, {master_once, slave_once}, finish},
    {"twice", 2, MODEL_ALL, MODEL_WORLD, setup, {master_twice, slave_twice}, finish},
    {"rouse", 3, 3, MODEL_WORLD, setup, {master_twice, slave_twice, rouser}, finish},
    {"wanted", 3, 2, MODEL_WORLD, setup, {master_wanted, slave_waits, wanting}, finish},
    {"late", 3, 3, MODEL_WORLD, setup, {master_closes, slave_back, late}, finish},
    {"called", 3, 3, MODEL_WORLD, setup, {calls, slave_once, late}, finish},
    {0},
};
