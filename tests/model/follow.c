/* follow.c - model of sched/adapt/follow.c: the looker sleeps while there is nobody to look for
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Checked: the looker looks while two OS threads have permits, whenever they got them, so no change
 * of the allowance is overlooked for ever; it does not wake up where nobody has got a permit; of
 * OS threads that come at once, one at least wakes it. The looker of an idle process sleeps though
 * several may run; the allowance shrinks and grows meanwhile, and a member that then comes by safe
 * points wakes it, so it sees the last change. Permits are a counter, and safe points a look at the
 * limit, as in permit.c.
 */
#include "tests/model/model.h"

#include "runtime/sched/adapt/follow.c"

static struct world {
  _Atomic(uint32_t) held, looks, over;
  _Atomic(uint32_t) met, changes, followed; /* the limit of safe points; changes of the allowance,
                                             * and how many of them the looker has seen */
} w;

/* --- what the looker needs of other files --- */

bool nth_permits_several(void) { return nth_load_rlx(&w.held) > 1; }
struct nth_permits nth_permits;
struct nth_crowd nth_crowd;
void nth_permit_back_slow(struct nth_permit *p) { (void)p; }
struct nth_permit_hooks nth_permit_hooks;
struct nth_allowed nth_allowed;
void (*nth_allowed_hook)(void);
void nth_permits_begin(void) {}
void nth_permits_changed(void) {}
void nth_permits_meet(bool met) { nth_store_rlx(&w.met, met); }
void nth_allowed_look_slow(uint64_t now) {
  (void)now;
  nth_store_rlx(&w.followed, nth_load_rlx(&w.changes));
}
bool nth_allowed_read(const struct nth_quota_folder *folders) { return (void)folders, true; }
struct nth_quota_folder *nth_quota_find(void) { return 0; }
void nth_quota_free(struct nth_quota_folder *folders) { (void)folders; }
bool nth_sysfile_own_table(unsigned first) { return (void)first, false; }
void nth_places_unbind(void) {}

int nth_crowd_server(void (*run)(void)) { return (void)run, 0; }
bool nth_crowd_is_gone(void) { return false; }
uint64_t nth_os_cpu_of(int thread) { return (uint64_t)thread; }

/* --- setup --- */

static void setup(void) {
  nth_follow = (struct nth_follow){.runs = true, .armed = 1};
  nth_store_rlx(&nth_crowd.roots, 1);
  MODEL_ATOM(nth_follow.runs);
  MODEL_ATOM(nth_follow.armed);
  MODEL_ATOM(nth_follow.word);
  MODEL_ATOM(w.held);
  MODEL_ATOM(w.looks);
  MODEL_ATOM(w.over);
  MODEL_ATOM(w.met);
  MODEL_ATOM(w.changes);
  MODEL_ATOM(w.followed);
}

/* --- threads --- */

/* As permit.c: take(), give(). */
static void take(void) {
  nth_add_rlx(&w.held, 1);
  nth_follow_arm();
}
static void give(void) { nth_sub_rlx(&w.held, 1); }

/* Sleeps until two have permits; each time that it wakes up one has come. */
static void looker(void) {
  do {
    disarm(false);
    nth_add_rlx(&w.looks, 1);
  } while (!nth_permits_several());
}

/* It has looked once for two, and rests while they have none; then they come again. */
static void looker_twice(void) {
  looker();
  nth_store_rlx(&w.over, 1);
  looker();
}
static void stays(void) { take(); }

enum { CHANGES = 2 };

/* Sleeps as in an idle process, and looks when it is woken; until it has seen all changes. */
static void looker_idle(void) {
  do {
    disarm(true);
    nth_add_rlx(&w.looks, 1);
    nth_allowed_look_slow(0);
  } while (nth_load_rlx(&w.followed) != CHANGES);
}
static void changer(void) {
  for (uint32_t i = 1; i <= CHANGES; i++) /* shrinks, and grows */
    nth_store_rlx(&w.changes, i);
}
/* Never sleeps, and comes by safe points from the last change on. */
static void passes(void) {
  take();
  while (nth_load_rlx(&w.changes) != CHANGES)
    model_idle();
  while (nth_load_rlx(&w.followed) != CHANGES) {
    if (nth_load_rlx(&w.met) != 0 && nth_load_rlx(&nth_follow.armed) == 0)
      nth_follow_arm(); /* as nth_permit_gone() */
    model_idle();
  }
}
static void comes_again(void) {
  take();
  while (nth_load_rlx(&w.over) == 0)
    model_idle();
  give();
  take();
}

/* For each permit that is waited for: a new word, and a wake-up that may come after it. Two more
 * looks find two permits without sleep. */
static void finish(void) {
  model_check(nth_load_rlx(&nth_follow.armed) == 1);
  model_check(nth_load_rlx(&w.looks) <= 2 * nth_load_rlx(&nth_follow.word) + 2);
  model_check(nth_load_rlx(&w.met) == 0);
}

MODEL_CASES = {
    {"arm", 3, 3, MODEL_WORLD, setup, {looker, stays, stays}, finish, 40000},
    {"again", 3, 2, MODEL_WORLD, setup, {looker_twice, stays, comes_again}, finish, 40000},
    {"idle", 3, 2, MODEL_WORLD, setup, {looker_idle, changer, passes}, finish, 40000},
    {0},
};
