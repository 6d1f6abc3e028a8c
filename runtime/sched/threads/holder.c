/* holder.c - keeps workers alive between regions, and hands them to groups
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/threads/holder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/arch/section.h"
#include "runtime/base/msg.h"
#include "runtime/mem/headroom.h"
#include "runtime/mem/heap.h"
#include "runtime/place/places/allowed.h"
#include "runtime/sched/adapt/crowd.h"
#include "runtime/sched/adapt/follow.h"
#include "runtime/sched/adapt/permit.h"
#include "runtime/sched/hold/lend.h"
#include "runtime/sched/nano/handlers.h"
#include "runtime/sched/nano/overflow.h"
#include "runtime/sched/nano/watchdog.h"
#include "runtime/sched/share/share.h"
#include "runtime/sched/threads/worker_list.h"
#include "runtime/struct/mutex.h"

struct nth_holder_config nth_holder_config;
struct nth_mutex nth_holder_lock;

static struct {
  _Atomic(uint32_t) held, made; /* workers' OS threads: now; made for them so far. w: under lock; r:
                                 * reports too, in signal handlers */
  uint32_t leaving;             /* of `held`, those whose objects are `leaving`. Under lock */
} holder;

/* p's thread is about to end, or is not. Under lock. */
static void set_leaving(struct nth_worker *p, bool leaves) {
  nth_assert(nth_holder_held() && (leaves || !p->leaving || holder.leaving > 0));
  holder.leaving += (uint32_t)leaves - (uint32_t)p->leaving;
  p->leaving = leaves;
}

uint32_t nth_holder_leaving(void) { return holder.leaving; }

/* leaves: for a thread that leaves its worker, not a root's. */
static struct nth_worker *object(bool leaves) {
  nth_mutex_lock(&nth_holder_lock);
  struct nth_worker *p = nth_worker_new();
  if (p)
    set_leaving(p, leaves);
  nth_mutex_unlock(&nth_holder_lock);
  return p;
}

struct nth_worker *nth_holder_stand_in(void) { return object(true); }

void nth_holder_stand_in_unused(struct nth_worker *p) {
  nth_assert(!nth_load_rlx(&p->group)); /* I1 */
  nth_mutex_lock(&nth_holder_lock);
  set_leaving(p, false);
  nth_worker_recycle(p);
  nth_mutex_unlock(&nth_holder_lock);
}

bool nth_holder_carry(struct nth_worker *p) {
  if (p->waiter.serves)
    return true;
  nth_assert(!p->carried && nth_load_rlx(&p->dock) == NTH_DOCK_AWAKE); /* a root never docks */
  nth_handlers_look_all();
  struct nth_family *f = nth_carry_family(p->led, nth_allowed_all_soon(), NTH_FAMILY_ROOM);
  p->led = f ? f : p->led;
  nth_mutex_lock(&nth_holder_lock);
  struct nth_pthread *t = f ? nth_carry_new(p) : 0;
  nth_mutex_unlock(&nth_holder_lock);
  if (!t)
    return false;
  p->waiter.serves = true;
  t->carrier.permit = p->permit;
  nth_store_rlx(&p->thread, t);
  nth_carry_adopt(t, f, p->place);
  nth_overflow_thread(&t->carrier);
  return true;
}

struct nth_worker *nth_holder_adopt(void) {
  struct nth_worker *p = object(false);
  if (p) {
    p->created = nth_lend_runs_me();
    nth_add_rlx(&nth_crowd.roots, 1);
    nth_add_rlx(&nth_crowd.active, 1);
    p->permit = (struct nth_permit){0};
    nth_permit_start(&p->permit, true);
    nth_permits_recount();
    if (nth_permits_count())
      nth_share_listen();
    if (nth_holder_config.carries)
      (void)nth_holder_carry(p);
  }
  return p;
}

void nth_holder_dismiss(struct nth_worker *p) {
  nth_assert(!p->carried && nth_load_rlx(&p->dock) == NTH_DOCK_AWAKE);
  nth_assert(nth_load_rlx(&nth_crowd.roots) > 0 && nth_load_rlx(&nth_crowd.active) > 0);
  struct nth_permit permit = p->waiter.serves ? nth_worker_carrier(p)->permit : p->permit;
  if (p->waiter.serves) {
    nth_overflow_leave(nth_worker_carrier(p));
    nth_carry_dismiss(nth_worker_carrier(p));
    nth_mutex_lock(&nth_holder_lock);
    nth_carry_recycle(nth_load_rlx(&p->thread));
    nth_mutex_unlock(&nth_holder_lock);
  }
  nth_holder_stand_in_unused(p);
  bool last = nth_sub_rlx(&nth_crowd.roots, 1) == 1;
  nth_add_rlx(&nth_crowd.active, UINT32_MAX);
  if (last)
    nth_follow_rouse();
  nth_permit_end(&permit);
  nth_permits_recount();
}

/* The CPUs on which member i starts; cpus NULL: any. */
static struct nth_start start_of(const struct nth_seating *s, uint32_t i) {
  struct nth_start start = {0, 0, 0, 0};
  if (s) {
    start.words = s->places->words;
    uint32_t place = nth_seat_place(nth_assign(&s->assignment, i));
    start.cpus = nth_places_usable(s->places, place);
    start.count = start.cpus ? nth_cpus_count(start.cpus, start.words) : 0;
    start.place = start.cpus ? place + 1 : 0;
  }
  return start;
}

/* Counts a new OS thread, p's. Under lock. */
static void count_one_more(struct nth_worker *p, struct nth_waiter *master) {
  nth_assert(nth_holder_held());
  if (master)
    master->starter = true;
  nth_store_rlx(&holder.held, nth_load_rlx(&holder.held) + 1);
  nth_store_rlx(&holder.made, nth_load_rlx(&holder.made) + !p->lent);
  p->active = !nth_worker_nano(p);
  if (p->active) {
    nth_add_rlx(&nth_crowd.active, 1);
    nth_permits_recount();
    if (nth_permits_count())
      nth_share_start();
  }
}

/* Gives p, carried, which is to have a thread, a thread's object; false: no memory. Under lock. */
static bool enrol(struct nth_worker *p, uint32_t place, uint32_t cpus) {
  nth_assert(nth_holder_held() && p->family);
  struct nth_pthread *t = nth_carry_new(p);
  if (!t)
    return false;
  nth_store_rlx(&p->thread, t);
  nth_carry_enrol(t, p->family, place, cpus);
  nth_store_rlx(&t->carrier.domain, p->leaf);
  return true;
}

/* There is no thread for p, enrolled, after all. Under lock. */
static void retire(struct nth_worker *p) {
  nth_assert(nth_holder_held() && nth_load_rlx(&p->thread)->worker == p);
  nth_carry_retire(nth_worker_carrier(p));
  nth_carry_recycle(nth_load_rlx(&p->thread));
}

/* A new worker with a thread; NULL: *error. Under lock. */
static struct nth_worker *make(struct nth_family *family, struct nth_waiter *master,
                               const struct nth_start *start, int *error) {
  struct nth_worker *p = nth_worker_new();
  nth_assert(nth_holder_held());
  *error = ENOMEM;
  if (!p)
    return 0;
  nth_assert(!nth_load_rlx(&p->group) && !p->identity && !p->gwd); /* I1 */
  p->carried = family != 0;
  p->family = family;
  if (!family || enrol(p, start ? start->place : 0, start ? start->count : 0)) {
    *error = nth_worker_start(p, master, nth_holder_config.stacksize, start, nth_holder_config.run);
    if (*error && family)
      retire(p);
  }
  if (*error) {
    nth_worker_recycle(p);
    return 0;
  }
  count_one_more(p, master);
  return p;
}

/* A group's GWD. It outlives the group until its last worker has ended. */
struct gwd {
  struct nth_wdarray array;
  uint32_t users; /* the group, and the workers that were told of it; under lock */
};

static struct nth_wdarray *new_gwd(void) {
  struct gwd *d = nth_heap_alloc(sizeof *d);
  if (!d)
    return 0;
  d->users = 1;
  return &d->array;
}

/* One user less. array may be NULL. Under lock. */
static void drop_gwd(struct nth_wdarray *array) {
  struct gwd *d = (struct gwd *)array;
  nth_assert(nth_holder_held() && (!d || d->users > 0));
  if (d && --d->users == 0)
    nth_heap_free(d);
}

/* The object p is free. Under lock. */
static void forget(struct nth_worker *p) {
  set_leaving(p, false);
  drop_gwd(p->gwd);
  p->gwd = 0;
  nth_worker_recycle(p);
}

/* Tells a new worker of a root from where on to read the GWD. Under lock. */
static void attach(struct nth_group *home, struct nth_worker *p) {
  nth_assert(nth_holder_held() && p->home == home && !p->gwd);
  ((struct gwd *)home->gwd)->users++;
  struct nth_wd wd = {0, home->gwd, NTH_WD_ATTACH, p->rank};
  wd.fn = (void (*)(void *))(uintptr_t)nth_wdarray_start(home->gwd);
  nth_wdarray_put(&p->lwd, &wd);
}

/* A thread for p, which has none; 0 or an errno value: p is as before. */
static int start_again(struct nth_worker *p, struct nth_waiter *master,
                       const struct nth_start *start) {
  nth_assert(nth_load_rlx(&p->group) && !p->identity && !p->ending); /* worker.h I3 */
  nth_mutex_lock(&nth_holder_lock);
  bool good = !p->carried || enrol(p, start ? start->place : 0, start ? start->count : 0);
  nth_mutex_unlock(&nth_holder_lock);
  if (!good)
    return ENOMEM;
  nth_holder_config.renew(p);
  nth_mutex_lock(&nth_holder_lock);
  int error = nth_worker_start_again(p, master, nth_holder_config.stacksize, start);
  if (!error)
    count_one_more(p, master);
  else if (p->carried)
    retire(p);
  nth_mutex_unlock(&nth_holder_lock);
  if (error)
    nth_holder_config.relinquish(p);
  return error;
}

void nth_holder_return_surely(struct nth_worker *p) {
  int error = start_again(p, 0, 0);
  if (!error)
    return;
  nth_msg("no thread for a member of a team (%s); waiting for one", strerror(error));
  while (start_again(p, 0, 0) != 0)
    nth_os_rest();
}

/* Gives p a thread again if it has LEFT; 0 or an errno value. */
static int fill(struct nth_worker *p, const struct nth_start *start, struct nth_waiter *master) {
  if (nth_likely(!nth_worker_left(p)) || !nth_worker_rouse(p))
    return 0;
  int error = start_again(p, master, start->cpus ? start : 0);
  if (error)
    nth_store_rlx(&p->dock, NTH_DOCK_LEFT);
  return error;
}

/* Makes a worker for member i of g; 0 or an errno value. Under lock. */
static int add(struct nth_group *g, uint32_t i, const struct nth_start *start,
               struct nth_waiter *master) {
  struct nth_group *home = nth_load_rlx(&g->home);
  nth_assert(nth_holder_held() && i > 0 && i < g->capacity && !g->proc[i]);
  uint32_t number = g == home ? i : nth_group_number_of_new(g, i);
  nth_assert(number >= home->all_size || !home->all[number]);
  int error = ENOMEM;
  if (!nth_group_reserve(&home->all, &home->all_capacity, home->all_size, number + 1))
    return error;
  if (!home->gwd && nth_holder_config.gwd && home->all_size == 0) /* all workers are attached to it,
                                                                   * or none */
    home->gwd = new_gwd();
  struct nth_worker *p = make(g->family, master, start->cpus ? start : 0, &error);
  if (!p)
    return error;
  p->rank = number;
  p->home = home;
  home->all[number] = p;
  home->all_size = home->all_size > number ? home->all_size : number + 1;
  if (home->gwd)
    attach(home, p);
  g->proc[i] = p;
  nth_group_have(g, p);
  nth_assert_valid(nth_group_valid(g));
  return 0;
}

uint32_t nth_group_grow(struct nth_group *g, uint32_t want, const struct nth_seating *seating,
                        struct nth_waiter *master, int *error) {
  struct nth_headroom room = {0};
  *error = 0;
  (void)nth_group_take(g, want);
  if (g->capacity < want)
    *error = ENOMEM;
  bool roomy = want <= NTH_HEADROOM_THREADS || nth_headroom_hold(&room);
  for (uint32_t i = 1; i < want && !*error; i++) {
    struct nth_start start = start_of(seating, i);
    if (g->proc[i]) {
      *error = fill(g->proc[i], &start, master);
    } else if (!roomy) {
      *error = EAGAIN;
    } else {
      nth_mutex_lock(&nth_holder_lock);
      *error = add(g, i, &start, master);
      nth_mutex_unlock(&nth_holder_lock);
    }
    if (*error) {
      nth_group_give_back(g, i);
      g->size = i;
    }
  }
  nth_headroom_free(&room);
  nth_assert(*error || g->size >= want);
  return *error ? nth_group_present(g, want) : want;
}

static uint32_t cpus_at(uint32_t place) {
  const struct nth_places *all = place ? nth_places_get() : 0;
  const uint64_t *cpus = all ? nth_places_usable(all, place - 1u) : 0;
  return cpus ? nth_cpus_count(cpus, all->words) : 0;
}

/* p becomes carried by the family; false: no memory. */
static bool carry(struct nth_worker *p, struct nth_family *family) {
  nth_assert(!p->carried && family);
  nth_mutex_lock(&nth_holder_lock);
  p->family = family;
  bool good = enrol(p, p->place, cpus_at(p->place));
  nth_mutex_unlock(&nth_holder_lock);
  if (!good)
    return false;
  bool there = nth_worker_carry(p);
  nth_mutex_lock(&nth_holder_lock);
  if (!there) {
    retire(p);
    p->carried = true; /* its next thread will be */
  } else if (p->active && nth_worker_nano(p)) {
    p->active = false;
    nth_add_rlx(&nth_crowd.active, UINT32_MAX);
    nth_permits_recount();
  }
  nth_mutex_unlock(&nth_holder_lock);
  return true;
}

void nth_group_carry(struct nth_group *home, struct nth_family *family) {
  nth_assert(home->all_size == 0 || nth_load_rlx(&home->home) == home);
  home->family = family;
  for (uint32_t i = 1; i < home->all_size; i++)
    if (home->all[i] && !home->all[i]->carried && !carry(home->all[i], family))
      return;
}

/* Tells all workers of a root to end. */
static void end_all(struct nth_group *home) {
  static const struct nth_wd end = {0, 0, NTH_WD_END, 0};
  nth_mutex_lock(&nth_holder_lock);
  for (uint32_t i = 1; i < home->all_size; i++)
    if (home->all[i]) {
      set_leaving(home->all[i], true);
      nth_store_rlx(&home->all[i]->group, NULL);
      home->all[i]->home = home->all[i]->home == home ? 0 : home->all[i]->home;
      nth_wdarray_put(&home->all[i]->lwd, &end);
    }
  nth_fence_full(); /* worker:F: between the puts and the looks at the docks */
  for (uint32_t i = 1; i < home->all_size; i++)
    if (home->all[i] && nth_worker_rouse(home->all[i]))
      forget(home->all[i]);
  if (home->family)
    nth_carry_disband(home->family);
  drop_gwd(home->gwd);
  nth_mutex_unlock(&nth_holder_lock);
  nth_heap_free(home->all);
  if (home->all_size > 1)
    nth_lend_root_ended();
}

void nth_group_release(struct nth_group *g) {
  if (nth_load_rlx(&g->home) == g)
    end_all(g);
  else
    nth_group_give_back(g, 0);
  nth_heap_free(g->proc);
  memset(g, 0, sizeof *g);
}

NTH_IN_CHILD void nth_group_forget(struct nth_group *g) { memset(g, 0, sizeof *g); }

void nth_holder_ended(struct nth_worker *p) {
  nth_assert(p->ending);
  if (!nth_holder_config.leave(p))
    nth_holder_recycle(p);
}

void nth_holder_recycle(struct nth_worker *p) {
  if (p->carried && nth_worker_self(p)->led) {
    nth_worker_self(p)->led = false;
    nth_watch_roots(false);
  }
  /* the program's destructors may have used the runtime since */
  nth_permit_end(p->carried ? &nth_worker_carrier(p)->permit : &p->permit);
  nth_mutex_lock(&nth_holder_lock);
  nth_assert(nth_load_rlx(&holder.held) > 0 && (!p->active || nth_load_rlx(&nth_crowd.active) > 0));
  if (p->carried)
    nth_carry_recycle(nth_load_rlx(&p->thread));
  nth_store_rlx(&holder.held, nth_load_rlx(&holder.held) - 1);
  if (p->active)
    nth_add_rlx(&nth_crowd.active, UINT32_MAX);
  nth_permits_recount();
  forget(p);
  nth_mutex_unlock(&nth_holder_lock);
}

NTH_IN_CHILD void nth_holder_forked(uint32_t roots, uint32_t held) {
  nth_mutex_init(&nth_holder_lock);
  nth_worker_list_forked();
  nth_store_rlx(&holder.held, held);
  holder.leaving = 0;
  nth_store_rlx(&nth_crowd.roots, roots);
  nth_store_rlx(&nth_crowd.active, roots + held);
  nth_store_rlx(&nth_crowd.servers, 0);
}

void nth_holder_count(uint32_t *held, uint32_t *made) {
  *held = nth_load_rlx(&holder.held);
  *made = nth_load_rlx(&holder.made);
}
