/* workshare.c - model of the chain of shared descriptors: one for each construct, reused in time
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: omp/worksharing/workshare.c. A descriptor that is freed or prepared again while
 * somebody uses it is a use after free or a race on its plain fields.
 */
#include "tests/model/members.h"

#include "runtime/omp/worksharing/doacross.h"

enum { CONSTRUCTS = 3 };

void nth_doacross_prepare(struct nth_doacross **at, const struct nth_loop_args *a,
                          uint32_t members) {
  (void)at, (void)a, (void)members;
}

static struct world {
  struct model_team t;
  uint32_t constructs;
  int done[8]; /* plain: units of all constructs, each done once */
  _Atomic(uint32_t) joined, forked;
} w;
static struct model_team *model_team(void) { return &w.t; }

static void setup(uint32_t n, uint32_t constructs) {
  model_team_setup(n);
  MODEL_NAME(w.done);
  MODEL_ATOM(w.joined);
  MODEL_ATOM(w.forked);
  w.constructs = constructs;
  for (uint32_t i = 0; i < n; i++)
    model_enter(i);
}
static void two(void) { setup(2, CONSTRUCTS); }
static void three(void) { setup(3, 2); }
static void regions(void) { setup(2, 1); }

/* A construct with one unit in the shared counter; number counts constructs from 0. Members differ
 * in their wish; its maker's goes into the counter, too, and all hear of that one. */
static void construct(uint32_t number) {
  uint32_t wish = (model_thread() + number) % 2;
  struct nth_workshare_spec spec = {.mem = 8, .claimed = 8 * wish, .on_counter = wish};
  struct nth_workshare *share = nth_workshare_next(model_member(), &spec);
  uint64_t units = nth_add_rlx(&share->counter, 1);
  model_check((units >= 8) == spec.on_counter);
  if (units % 8 == 0) {
    w.done[number]++;
    *(int *)share->mem = (int)number;
  }
}

/* nowait: a member may be any number of constructs ahead. */
static void region(uint32_t first) {
  for (uint32_t i = 0; i < w.constructs; i++)
    construct(first + i);
}
static void all(void) { region(0); }

/* --- two regions: the second starts with an empty chain and reuses what the first made --- */

static void master(void) {
  region(0);
  while (nth_load_acq(&w.joined) == 0)
    model_idle();
  nth_workshare_leave_region(&w.t.team);
  nth_workshare_enter_region(&w.t.slot[0]);
  nth_store_rel(&w.forked, 1);
  region(1);
}

static void slave(void) {
  region(0);
  nth_store_rel(&w.joined, 1);
  while (nth_load_acq(&w.forked) == 0)
    model_idle();
  nth_workshare_enter_region(&w.t.slot[1]);
  region(1);
}

/* --- own ranges, set before the descriptor is seen --- */

enum { UNITS = 3 };

static void ranges(void) {
  struct nth_workshare_spec spec = {.units = UNITS};
  struct nth_workshare *share = nth_workshare_next(model_member(), &spec);
  uint32_t unit, me = model_thread();
  while (nth_range_take(&nth_workshare_ranges(share)[me], &unit)) {
    model_check(unit < UNITS);
    w.done[unit]++;
  }
}

static void finish(void) {
  for (uint32_t i = 0; i < w.constructs; i++)
    model_check(w.done[i] == 1);
}
static void finish_regions(void) { model_check(w.done[0] == 1 && w.done[1] == 1); }
static void finish_ranges(void) {
  for (uint32_t i = 0; i < UNITS; i++)
    model_check(w.done[i] == 1);
}

MODEL_CASES = {
    {"two", 2, 3, MODEL_WORLD, two, {all}, finish},
    {"three", 3, 1, MODEL_WORLD, three, {all}, finish},
    {"regions", 2, 2, MODEL_WORLD, regions, {master, slave}, finish_regions},
    {"ranges", 2, MODEL_ALL, MODEL_WORLD, regions, {ranges}, finish_ranges},
    {0},
};
