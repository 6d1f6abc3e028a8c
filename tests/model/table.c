/* table.c - model of runtime/sched/share/table.h: slots have one owner, and what is lent comes back
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/model/model.h"

#include "runtime/sched/share/table.h"

enum { DEAD = 9 };

static struct world {
  struct nth_table t;
  int slot[3];
  int at
      [NTH_TABLE_SLOTS]; /* plain: written by a slot's owner before it frees it, and by the next */
} w;

static uint64_t me(void) { return nth_table_owner(model_thread() + 1, 1); }

static void setup(void) {
  MODEL_ATOM(w.t.magic);
  MODEL_ATOM(w.t.bell);
  for (int i = 0; i < NTH_TABLE_SLOTS; i++) {
    struct nth_table_slot *s = &w.t.slot[i];
    MODEL_ATOM_AT(i, s->owner);
    MODEL_ATOM_AT(i, s->beat);
    MODEL_ATOM_AT(i, s->wants);
    MODEL_ATOM_AT(i, s->most);
    MODEL_ATOM_AT(i, s->has);
    MODEL_ATOM_AT(i, s->idle_since);
    w.slot[i] = NTH_TABLE_NONE;
  }
  w.slot[2] = NTH_TABLE_NONE;
  model_check(nth_table_begin(&w.t));
}

/* --- two claim --- */

static void claims(void) {
  model_check(nth_table_begin(&w.t));
  w.slot[model_thread()] = nth_table_claim(&w.t, me());
}

static void have_slots(void) {
  model_check(nth_table_valid(&w.t));
  model_check(w.slot[0] != NTH_TABLE_NONE && w.slot[1] != NTH_TABLE_NONE);
  model_check(w.slot[0] != w.slot[1]);
}

/* --- both find a dead one in the first slot; the table is full but for one --- */

static void setup_dead(void) {
  setup();
  model_check(nth_table_claim(&w.t, nth_table_owner(DEAD, 1)) == 0);
}

static void frees_and_claims(void) {
  uint64_t owner = nth_load_acq(&w.t.slot[0].owner); /* table:T */
  if (owner == nth_table_owner(DEAD, 1))
    (void)nth_table_free(&w.t, 0, owner);
  claims();
}

/* --- a slow one is taken for dead, and leaves later: the next owner's slot stays --- */

static void setup_slow(void) {
  setup();
  w.slot[0] = nth_table_claim(&w.t, nth_table_owner(1, 1));
}

static void leaves(void) { nth_table_leave(&w.t, w.slot[0], me()); }

static void takes_over(void) {
  (void)nth_table_free(&w.t, 0, nth_table_owner(1, 1));
  claims();
}

static void has_stayed(void) {
  model_check(nth_table_valid(&w.t) && w.slot[1] != NTH_TABLE_NONE);
  model_check(nth_table_mine(&w.t, w.slot[1], nth_table_owner(2, 1)));
}

/* --- a slot goes from one to the next: what the first one did is over --- */

static void uses_and_leaves(void) {
  int mine = nth_table_claim(&w.t, me());
  if (mine != 0)
    return;
  w.at[0]++;
  nth_table_leave(&w.t, mine, me());
}

/* --- what is lent is called back --- */

static void setup_lent(void) {
  setup();
  w.slot[0] = nth_table_claim(&w.t, nth_table_owner(1, 1));
  w.slot[1] = nth_table_claim(&w.t, nth_table_owner(2, 1));
}

static void calls_back(void) {
  if (nth_table_beat(&w.t, w.slot[0], 2)) {
    nth_table_ring(&w.t);
    nth_futex_wake(&w.t.bell, INT_MAX);
  }
}

static void gives_back(void) {
  struct nth_table_seen seen = {0};
  uint64_t silent;
  for (;;) {
    uint32_t ticket = nth_table_ticket(&w.t);
    if (nth_table_look(&w.t, w.slot[0], &seen, 1, 1, &silent) == 2)
      return;
    nth_futex_wait(&w.t.bell, ticket, 0);
  }
}

/* The same, where the owner leaves at once, or is killed and another one frees its slot. */
static void calls_and_leaves(void) {
  calls_back();
  nth_table_leave(&w.t, w.slot[0], me());
  nth_table_ring(&w.t);
  nth_futex_wake(&w.t.bell, INT_MAX);
}

static void sees_it_gone(void) {
  struct nth_table_seen seen = {0};
  uint64_t silent;
  for (;;) {
    uint32_t ticket = nth_table_ticket(&w.t);
    (void)nth_table_look(&w.t, w.slot[0], &seen, 1, 1, &silent);
    if (seen.owner == 0)
      return;
    nth_futex_wait(&w.t.bell, ticket, 0);
  }
}

MODEL_CASES = {
    {"claim", 2, MODEL_ALL, MODEL_WORLD, setup, {claims, claims}, have_slots},
    {"dead",
     2,
     MODEL_ALL,
     MODEL_WORLD,
     setup_dead,
     {frees_and_claims, frees_and_claims},
     have_slots},
    {"slow", 2, MODEL_ALL, MODEL_WORLD, setup_slow, {leaves, takes_over}, has_stayed},
    {"next", 2, MODEL_ALL, MODEL_WORLD, setup, {uses_and_leaves, uses_and_leaves}, 0},
    {"back", 2, MODEL_ALL, MODEL_WORLD, setup_lent, {calls_back, gives_back}, 0},
    {"leave", 2, MODEL_ALL, MODEL_WORLD, setup_lent, {calls_and_leaves, sees_it_gone}, 0},
    {0},
};
